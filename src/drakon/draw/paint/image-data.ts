import type { Diagram, JsonObject } from "../../diagram/diagram.ts";
import type { PlacedIcon } from "../picture.ts";
import { element } from "./xml.ts";

/** Embedded bitmaps only: an SVG could contain scripts, and a URL would make a network request. */
const SAFE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i;
const MAX_CHARACTERS = 2_000_000;

const asObject = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

/** The image of an icon as an SVG element; empty if it has none that is safe to show. */
export function imageSvg(diagram: Diagram, { icon, box }: PlacedIcon): string {
  const { json, enveloped } = diagram.source;
  const items = asObject((enveloped ? asObject(json["diagram"]) : json)["items"]);
  const name = icon !== undefined && Object.hasOwn(items, icon) ? asObject(items[icon])["image"] : undefined;
  if (typeof name !== "string" || !Object.hasOwn(items, name)) return "";
  const data = asObject(items[name])["content"];
  if (typeof data !== "string" || data.length > MAX_CHARACTERS || !SAFE.test(data)) return "";
  return element("image", { href: data, x: 4, y: 4, width: box.width - 8, height: box.height - 8 });
}
