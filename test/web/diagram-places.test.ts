import { expect, test } from "vitest";
import { drawDiagram } from "../../src/drakon/draw/draw.ts";
import { sockets } from "../../src/drakon/edit/sockets.ts";
import { checkJson } from "../../src/drakon/testing/json-diagram.ts";
import { shapes } from "../../src/drakon/testing/shapes.ts";
import { neighbour } from "../../web/src/pages/diagram/neighbours.ts";
import { placesIn } from "../../web/src/pages/diagram/places.ts";
import { sharedEnd, withoutEnd } from "../../web/src/pages/diagram/polyline.ts";

test.for(Object.keys(shapes))(
  "U-1 every line of %s can be selected, and every place is reachable with arrow keys",
  (shape) => {
    const { diagram } = checkJson({ items: shapes[shape]!(30) });
    const places = placesIn(diagram, drawDiagram(diagram).picture);
    const keys = new Set(places.map(({ key }) => key));
    const lines = sockets(diagram).filter(({ joined }) => !joined);
    const lost = lines.filter(({ line: [link] }) => !keys.has(`line ${link?.icon}.${link?.exit}`));
    const reached = new Set([places[0]!]);
    for (const place of reached) {
      for (const direction of ["up", "down", "left", "right"] as const) {
        const next = neighbour(diagram, places, place, direction);
        if (next) reached.add(next);
      }
    }
    expect({ lost, keys: keys.size, reached: reached.size }).toEqual({
      lost: [],
      keys: places.length,
      reached: places.length,
    });
  },
);

const at = (...corners: readonly (readonly [number, number])[]) => corners.map(([x, y]) => ({ x, y }));

test("U-1 two lines share one line after their join, and are separate before it", () => {
  const down = at([0, 0], [0, 100]);
  const round = at([50, 20], [80, 20], [80, 60], [0, 60], [0, 100]);
  const shared = sharedEnd([down, round]);
  expect({ shared, down: withoutEnd(down, shared), round: withoutEnd(round, shared) }).toEqual({
    shared: at([0, 60], [0, 100]),
    down: at([0, 0], [0, 60]),
    round: at([50, 20], [80, 20], [80, 60], [0, 60]),
  });
});
