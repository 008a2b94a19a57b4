"""The static rival of `tools/bench index`: scipy's cKDTree on unit vectors.

usage: ckdtree.py POINTS QUERIES        both files of latitude, longitude in degrees, 64-bit floating point

Prints the microseconds of one query for k = 1, 10 and 100, and then the ten nearest of each of the first thousand
queries, one query a line.
"""

import sys
import time

import numpy
from scipy.spatial import cKDTree


def unit_vectors(path):
    latitude, longitude = numpy.radians(numpy.fromfile(path).reshape(-1, 2)).T
    return numpy.column_stack(
        (numpy.cos(latitude) * numpy.cos(longitude), numpy.cos(latitude) * numpy.sin(longitude), numpy.sin(latitude))
    )


tree = cKDTree(unit_vectors(sys.argv[1]))
queries = unit_vectors(sys.argv[2])
for k in (1, 10, 100):
    tree.query(queries[:1000], k)
    begun = time.perf_counter()
    tree.query(queries, k)
    print((time.perf_counter() - begun) / len(queries) * 1e6)
for row in tree.query(queries[:1000], 10)[1]:
    print(*row)
