import type { Remark } from "../../api/endpoints.gen.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

type Place = NonNullable<Remark["place"]>;

/** Names what a remark is about, where it is not shown at its place. */
export function useRemarkPlace(): (place: Place | undefined) => string | undefined {
  const t = useT();
  return (place) => {
    if (!place) return undefined;
    if ("line" in place) return t(words.line, place.line);
    return t(words.icon, place.quote?.split("\n", 1)[0] || place.icon);
  };
}

const words = {
  line: { en: "line {}", uk: "рядок {}" },
  icon: { en: "icon “{}”", uk: "ікона «{}»" },
} as const satisfies Record<string, Text>;
