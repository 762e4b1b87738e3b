"""tune_db.py FILE SQL: runs SQL on a database of ew-tune's and prints the rows.

tune_db.py FILE interrupt SIGNAL COMMAND...: sends the signal to the command once it has
kept what it knows of three schedules, and fails unless it ends by it.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time

path, what, *rest = sys.argv[1:]


def query(sql):
    connection = sqlite3.connect(path, timeout=60)
    try:
        rows = connection.execute(sql).fetchall()
        connection.commit()
        return rows
    finally:
        connection.close()


if what != "interrupt":
    for row in query(what):
        print(*row)
    sys.exit(0)

number = getattr(signal, rest[0])
signal.signal(number, signal.SIG_DFL)  # what starts tests may ignore it
process = subprocess.Popen(rest[1:])
while process.poll() is None:
    try:
        if os.path.exists(path) and query("SELECT count(*) FROM tried")[0][0] >= 3:
            break
    except sqlite3.OperationalError:
        pass  # its tables are not there yet
    time.sleep(0.005)
process.send_signal(number)
code = process.wait()
if code != -number:
    sys.exit(f"exit code {code}")
print("schedules kept:", query("SELECT count(*) FROM tried")[0][0])
