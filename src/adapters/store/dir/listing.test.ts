import { expect, test } from "vitest";
import { realWorld } from "../../../base/world.ts";
import { realDisk } from "./disk.ts";
import { Listing } from "./listing.ts";

const many = Array.from({ length: 300 }, (_, i) => `${String(i).padStart(3, "0")}.json`);

/** The keys that a second listing adds: the folder gets a name while its time stamp stays the same. */
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
  [
    "has just changed is read again, because it may have changed within the same tick",
    realWorld.now(),
    ["audit/new.json"],
  ],
  ["has a stamp from a clock that runs ahead is read again", realWorld.now() + 3_600_000, ["audit/new.json"]],
  ["has long been unchanged is not read again for the next page", realWorld.now() - 60_000, []],
])("G-6 a large folder that %s", (_, stamp, more) => {
  expect(twiceListed(stamp)).toEqual(more);
});
