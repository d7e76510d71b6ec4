/** The role of an icon type in control flow. An unknown type is a step. */
type IconRole =
  | "branch"
  | "end"
  | "step"
  | "question"
  | "select"
  | "case"
  | "loopbegin"
  | "loopend"
  | "arrow-loop"
  | "parbegin"
  | "parend"
  /** Stands beside another icon. */
  | "duration"
  /** Style, data or free drawing: not part of the control flow. */
  | "none";

const ROLES: ReadonlyMap<string, IconRole> = new Map<string, IconRole>([
  ...(
    ["branch", "end", "question", "select", "case", "loopbegin", "loopend", "arrow-loop", "parbegin", "parend"] as const
  ).map((type) => [type, type] as const),
  ["duration", "duration"],
  ...steps().map((type) => [type, "step"] as const),
  ...shapes().map((type) => [type, "none"] as const),
]);

const isFreeShape = (type: string): boolean => type.startsWith("f_");

export const roleOf = (type: string): IconRole => ROLES.get(type) ?? (isFreeShape(type) ? "none" : "step");
export const isKnownType = (type: string): boolean => ROLES.has(type) || isFreeShape(type);

function steps(): string[] {
  const plain = [
    "action",
    "insertion",
    "comment",
    "simpleinput",
    "simpleoutput",
    "input",
    "output",
    "process",
    "shelf",
  ];
  return [...plain, "timer", "pause", "ctrlstart", "ctrlend", "drakon-image", "event", "sinput"];
}

function shapes(): string[] {
  const drawn = [
    "connection",
    "line",
    "arrow",
    "text",
    "rectangle",
    "rounded",
    "callout",
    "frame",
    "polygon",
    "polyline",
    "triangle",
  ];
  const grouped = [
    "group-duration",
    "group-duration-left",
    "group-duration-right",
    "free-image",
    "cloud",
    "database",
    "human",
  ];
  return ["header", "params", "image", "address", ...drawn, ...grouped];
}
