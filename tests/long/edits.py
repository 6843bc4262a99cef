# SPDX-License-Identifier: MIT
"""tests/cli/edits.py in full: 1,000 edits in place that are killed, 200 pairs of edits at once."""
import os
import runpy

os.environ["EDITS_KILLS"] = "1000"
os.environ["EDITS_PAIRS"] = "200"
runpy.run_path("tests/cli/edits.py", run_name="__main__")
