import { xmlText } from "../measure/wrap-text.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Most of what is written is path data and names of classes. */
const HARMLESS = /^[\w .,:;#()%/+-]*$/;

/** Any text, safe between tags and in attributes of XML and HTML. */
export const escaped = (text: string): string =>
  HARMLESS.test(text) ? text : xmlText(text).replace(/[&<>"']/g, (char) => ESCAPES[char]!);

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element. Attributes are escaped, children are not: they are elements already. */
export function element(name: string, attributes: Attributes, children?: string): string {
  let start = `<${name}`;
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) start += ` ${key}="${typeof value === "number" ? digits(value) : escaped(value)}"`;
  }
  return children === undefined || children === "" ? `${start}/>` : `${start}>${children}</${name}>`;
}

/** The same bytes everywhere: two digits behind the point are a hundredth of a pixel. */
export const digits = (value: number): string => String(Math.round(value * 100) / 100);
