/**
 * Keeps the focus from being lost with what had it: who uses the keyboard goes on in the dialog or on the page where they were, not at
 * the top of the browser. A button that was only asleep gets it back. Returns a function that ends it.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined;
  /** Had the focus when it was put to sleep. */
  let asleep: HTMLElement | undefined;
  const note = ({ target }: FocusEvent): void => {
    last = target instanceof HTMLElement ? target : undefined;
    asleep = undefined;
  };
  const mend = (): void => {
    if (last?.matches(":disabled")) asleep = last;
    if (!last || document.activeElement !== document.body) return;
    const awake = asleep?.isConnected === true && !asleep.matches(":disabled") ? asleep : undefined;
    const here = last.isConnected
      ? undefined
      : (document.querySelector<HTMLElement>("dialog[open]") ?? document.querySelector("main"));
    (awake ?? here)?.focus({ preventScroll: true });
  };
  const changes = new MutationObserver(mend);
  document.addEventListener("focusin", note);
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  return () => {
    document.removeEventListener("focusin", note);
    changes.disconnect();
  };
}
