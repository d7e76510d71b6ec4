import { expect, test } from "vitest";
import { realWorld } from "../../../base/world.ts";
import { realDisk } from "./disk.ts";
import { Listing } from "./listing.ts";

const many = Array.from({ length: 300 }, (_, i) => `${String(i).padStart(3, "0")}.json`);

/** A folder whose stamp stays as it is while a name is added: its file system's clock stood still. */
function twiceListed(stamp: number): string[] {
  let names = many;
  const listing = new Listing(
    {
      ...realDisk,
      stamp: () => stamp,
      names: () => names.map((name) => ({ name, folder: false })),
    },
    "/nowhere",
    realWorld,
  );
  const first = [...listing.keys("audit/", "")];
  names = [...many, "new.json"];
  return [...listing.keys("audit/", "")].slice(first.length);
}

test.each<[string, number, readonly string[]]>([
  ["has just changed is read again: it may have changed within the same tick", realWorld.now(), ["audit/new.json"]],
  ["has a stamp from a clock that runs ahead is read again", realWorld.now() + 3_600_000, ["audit/new.json"]],
  ["stood unchanged is not, page after page", realWorld.now() - 60_000, []],
])("G-6 a large folder that %s", (_, stamp, more) => {
  expect(twiceListed(stamp)).toEqual(more);
});
