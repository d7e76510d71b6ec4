import type { IconId } from "../../icon-id.ts";
import type { DrawnLine, Picture } from "../picture.ts";

/** The lines that connect consecutive icons of a path, through the points between them. */
export function linesAlong(picture: Picture, path: readonly IconId[]): Set<DrawnLine> {
  const out = new Map<number, DrawnLine[]>();
  for (const line of picture.lines) {
    const known = out.get(line.from);
    if (known) known.push(line);
    else out.set(line.from, [line]);
  }
  const keyOf = new Map(picture.icons.flatMap(({ icon, key }) => (icon === undefined ? [] : [[icon, key] as const])));
  const named = new Map(picture.icons.map(({ key, icon, refersTo }) => [key, icon ?? refersTo]));
  const found = new Set<DrawnLine>();
  for (let i = 1; i < path.length; i++) {
    for (const first of out.get(keyOf.get(path[i - 1]!) ?? -1) ?? []) {
      const chain = [first];
      while (named.get(chain.at(-1)!.to) === undefined && chain.length < 4) {
        const next = out.get(chain.at(-1)!.to)?.[0];
        if (!next) break;
        chain.push(next);
      }
      if (named.get(chain.at(-1)!.to) === path[i]) for (const line of chain) found.add(line);
    }
  }
  return found;
}
