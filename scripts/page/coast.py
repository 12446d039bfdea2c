"""Makes Sources/CPageFiles/app/coast.json: the land of the world as rings of tenths of a degree, each as differences from point to point.

The source is Natural Earth, 1:110 million, "Admin 0 - Countries" (https://www.naturalearthdata.com), which is in the public domain. It is read from the
Python package geopandas 0.14.4, the last one that has it: geopandas/datasets/naturalearth_lowres. Needs pyshp and shapely.

    python3 scripts/page/coast.py naturalearth_lowres.shp Sources/CPageFiles/app/coast.json
"""
import json
import sys

import shapefile
from shapely.geometry import shape
from shapely.ops import unary_union

land = unary_union([shape(item.__geo_interface__).buffer(0.02) for item in shapefile.Reader(sys.argv[1]).shapes()])
rings = []
for polygon in sorted(land.simplify(0.12).geoms, key=lambda polygon: -polygon.area):
    for ring in [polygon.exterior, *polygon.interiors]:
        points = [(round(x * 10), round(y * 10)) for x, y in ring.coords]
        points = [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]
        if len(points) < 4:
            continue
        flat, last = [], (0, 0)
        for point in points[:-1]:
            flat += [point[0] - last[0], point[1] - last[1]]
            last = point
        rings.append(flat)
with open(sys.argv[2], "w") as file:
    json.dump(rings, file, separators=(",", ":"))
    file.write("\n")
print(len(rings), "rings,", sum(map(len, rings)) // 2, "points")
