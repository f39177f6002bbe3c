"""Changes as they come, and pages that are shown anew after each."""

FOLLOWED = '<p class="soft"><span id="state" role="status">as of when it was loaded</span></p>'
"""What stands above the content of a page that is shown anew."""

CONTENT = """<p>What comes and goes with each update, stated or derived; the newest first:
<span id="state" role="status">not connected</span></p>
<noscript><p>This page needs script; the same is to be had at <a href="/changes/stream">the stream
of events</a>.</p></noscript>
<ol id="changes" aria-label="Changes"></ol>"""
