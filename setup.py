"""A build begins with an empty `build/lib`: what an earlier one left there is not installed."""

import shutil

from setuptools import setup
from setuptools.command.build_py import build_py


class FreshBuild(build_py):
    def run(self) -> None:
        shutil.rmtree("build/lib", ignore_errors=True)
        super().run()


setup(cmdclass={"build_py": FreshBuild})
