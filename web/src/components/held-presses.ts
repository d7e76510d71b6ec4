/**
 * Follows which keys and pointers are down, from the start of the app: a key that was pressed on one page may still be down on the
 * next. Keys that only move the focus or the page, and keys typed into a field, are left out.
 */
type PressListener = (event: "pressed" | "released") => void;

const down = new Set<string>();
const listeners = new Set<PressListener>();

/** True while no key and no pointer is down. */
export const isReleased = (): boolean => down.size === 0;

/** Calls `listener` on every press, and when the last key or pointer is up again. Returns a function that ends it. */
export function onPresses(listener: PressListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Resolves when every key and pointer is up. */
export const whenReleased = (): Promise<void> =>
  new Promise((resolve) => {
    if (isReleased()) return resolve();
    const stop = onPresses((event) => {
      if (event !== "released") return;
      stop();
      resolve();
    });
  });

function pressed(name: string): void {
  down.add(name);
  for (const listener of listeners) listener("pressed");
}

function released(name?: string): void {
  if (name === undefined) down.clear();
  else if (!down.delete(name)) return;
  if (isReleased()) for (const listener of listeners) listener("released");
}

/** Keys with which a person reads and moves: they never decide. */
const MOVES = /^(?:Tab|Shift|Control|Alt|Meta|Escape|Arrow\w+|Page\w+|Home|End|F\d+)$/;

const isForPage = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  !MOVES.test(key) &&
  // The browser reports no key-up for a key that was pressed together with these.
  !(ctrlKey || metaKey || altKey) &&
  !(target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)));

if (typeof document !== "undefined") {
  const whole = { capture: true, passive: true } as const;
  document.addEventListener("keydown", (event) => isForPage(event) && pressed(event.code), whole);
  document.addEventListener("keyup", (event) => released(event.key === "Meta" ? undefined : event.code), whole);
  document.addEventListener("pointerdown", ({ pointerId }) => pressed(`pointer ${pointerId}`), whole);
  for (const end of ["pointerup", "pointercancel"] as const)
    document.addEventListener(end, ({ pointerId }) => released(`pointer ${pointerId}`), whole);
  // A drag and another window take the key-up away from this page.
  document.addEventListener("dragend", () => released(), whole);
  addEventListener("blur", () => released());
}
