"""Another engine, run as it is until a file says what it shall do wrong from the second move on: hang, die or illegal."""

import pathlib
import subprocess
import sys
import time

fault_file, *command = sys.argv[1:]
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
    moves = 0
    for line in sys.stdin:
        moves += line.startswith("go")
        fault = pathlib.Path(fault_file).read_text() if moves > 1 else ""
        if line.startswith("go") and fault == "hang":
            time.sleep(60)
        if line.startswith("go") and fault == "die":
            engine.kill()
            sys.exit(3)
        if line.startswith("go") and fault == "illegal":
            print("bestmove a8h1", flush=True)
            continue
        engine.stdin.write(line)
        engine.stdin.flush()
        end = {"uci": "uciok", "isready": "readyok", "go": "bestmove"}.get(line.split()[0])
        while end:
            answer = engine.stdout.readline()
            print(answer, end="", flush=True)
            if not answer or answer.startswith(end):
                break
