import { drawable } from "./measure.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Any text, safe between tags and in attributes of XML and HTML. */
export const escaped = (text: string): string => drawable(text).replace(/[&<>"']/g, (char) => ESCAPES[char]!);

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element. Attributes are escaped, children are not: they are elements already. */
export function element(name: string, attributes: Attributes, children?: string): string {
  let start = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) start += ` ${key}="${typeof value === "number" ? digits(value) : escaped(value)}"`;
  }
  return children === undefined || children === "" ? `${start}/>` : `${start}>${children}</${name}>`;
}

/** The same bytes everywhere: two digits behind the point are a hundredth of a pixel. */
export const digits = (value: number): string => String(Math.round(value * 100) / 100);
