import type { Diagram, JsonObject } from "../../diagram/diagram.ts";
import type { IconId } from "../../icon-id.ts";

/** Style from the file, reduced to values that are safe in SVG. */
export interface AuthorStyle {
  readonly fill?: string;
  readonly edge?: string;
  readonly ink?: string;
  readonly edgeWidth?: number;
}

/** Styles by icon. The file holds them as JSON strings; anything but plain colours and small numbers is ignored. */
export function authorStyles(diagram: Diagram): (id: IconId | undefined) => AuthorStyle {
  const { json, enveloped } = diagram.source;
  const body = enveloped ? asObject(json["diagram"]) : json;
  const items = asObject(body["items"]);
  const common = parsed(body["style"]);
  const known = new Map<IconId, AuthorStyle>();
  return (id) => {
    if (id === undefined) return {};
    const style = known.get(id) ?? {
      ...common,
      ...(Object.hasOwn(items, id) ? parsed(asObject(items[id])["style"]) : {}),
    };
    known.set(id, style);
    return style;
  };
}

/** The icon width from the file, clamped to a readable range. */
export function authorWidth(diagram: Diagram, otherwise: number): number {
  const { json, enveloped } = diagram.source;
  const { maxWidth } = parsedJson((enveloped ? asObject(json["diagram"]) : json)["style"]);
  return typeof maxWidth === "number" && maxWidth > 0 ? Math.min(600, Math.max(100, maxWidth)) : otherwise;
}

const asObject = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

function parsedJson(style: unknown): JsonObject {
  if (typeof style !== "string" || style.length > 10_000) return asObject(style);
  try {
    return asObject(JSON.parse(style));
  } catch {
    return {};
  }
}

function parsed(style: unknown): AuthorStyle {
  const { iconBack, iconBorder, color, borderWidth } = parsedJson(style);
  const fill = colour(iconBack);
  const edge = colour(iconBorder);
  const ink = colour(color) ?? (fill === undefined ? undefined : inkOn(fill));
  const edgeWidth = typeof borderWidth === "number" && borderWidth >= 0 && borderWidth <= 10 ? borderWidth : undefined;
  return {
    ...(fill !== undefined && { fill }),
    ...(edge !== undefined && { edge }),
    ...(ink !== undefined && { ink }),
    ...(edgeWidth !== undefined && { edgeWidth }),
  };
}

const COLOUR = /^(?:#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|[a-z]{3,24}|(?:rgb|hsl)a?\([\d\s.,%/]{1,40}\))$/i;

const colour = (value: unknown): string | undefined =>
  typeof value === "string" && COLOUR.test(value.trim()) ? value.trim() : undefined;

/** Black or white, whichever is readable on the fill colour; the theme's ink may not be. */
function inkOn(fill: string): string {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(fill)?.[1];
  if (hex === undefined) return "#000000";
  const short = hex.length < 6;
  const part = (at: number): number =>
    short ? Number.parseInt(hex[at]! + hex[at]!, 16) : Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return part(0) * 0.299 + part(1) * 0.587 + part(2) * 0.114 > 140 ? "#000000" : "#ffffff";
}
