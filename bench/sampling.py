"""What the programs of the peers share: arguments, sampling, and the line of results.

Sampling is as in measure.go: a quarter of the time of warm-up, then up to 400
samples of at least 0.2 ms each.
"""
import json
import os
import sys
import time

SAMPLE, LEAST, MOST = 2e-4, 5, 400

clock = time.process_time if os.environ.get("PB_CLOCK") == "processor" else time.perf_counter


def arguments():
    """Returns the case and the number of threads."""
    return sys.argv[1], int(sys.argv[2])


def pin(step):
    """Keeps the threads of a parallel step on cores of their own.

    Threads that spin and are not pinned may share a core, and then take turns.
    """
    step()
    cores = sorted(os.sched_getaffinity(0))
    others = 0
    for thread in map(int, os.listdir("/proc/self/task")):
        core = 0
        if thread != os.getpid():
            others += 1
            core = others % len(cores) or min(1, len(cores) - 1)
        os.sched_setaffinity(thread, {cores[core]})


def report(peer, step, threads):
    """Samples step and prints one JSON line."""
    if threads > 1 and hasattr(os, "sched_setaffinity"):
        pin(step)
    budget = float(os.environ.get("PB_BUDGET", "0.5"))
    start, count, once = clock(), 0, 1e-9
    while count < 3 or clock() - start < budget / 4:
        t = clock()
        step()
        once = clock() - t
        count += 1
    calls = int(SAMPLE / once) + 1
    samples, start = [], clock()
    while len(samples) < MOST and (len(samples) < LEAST or clock() - start < budget):
        t = clock()
        for _ in range(calls):
            step()
        samples.append((clock() - t) / calls)
    samples.sort()
    print(json.dumps({"peer": peer, "case": sys.argv[1], "threads": threads,
                      "median_ms": samples[len(samples) // 2] * 1e3, "min_ms": samples[0] * 1e3}))
