"""Changes as they come."""

CONTENT = """<p>What comes and goes with each update, stated or derived; the newest first:
<span id="state" role="status">not connected</span></p>
<noscript><p>This page needs script; the same is to be had at <a href="/changes/stream">the stream
of events</a>.</p></noscript>
<ol id="changes" aria-live="polite" aria-label="Changes"></ol>"""
