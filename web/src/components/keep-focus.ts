/**
 * Moves the focus to the open dialog, or to the page, when the focused element is removed: the browser would start again at the top.
 * A button that was only disabled for a while gets it back. Returns a function that ends it.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined;
  /** Had the focus when it was disabled. */
  let disabled: HTMLElement | undefined;
  const remember = ({ target }: FocusEvent): void => {
    last = target instanceof HTMLElement ? target : undefined;
    disabled = undefined;
  };
  const restore = (): void => {
    if (last?.matches(":disabled")) disabled = last;
    if (!last || document.activeElement !== document.body) return;
    const enabled = disabled?.isConnected === true && !disabled.matches(":disabled") ? disabled : undefined;
    const container = last.isConnected
      ? undefined
      : (document.querySelector<HTMLElement>("dialog[open]") ?? document.querySelector("main"));
    (enabled ?? container)?.focus({ preventScroll: true });
  };
  const changes = new MutationObserver(restore);
  document.addEventListener("focusin", remember);
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  return () => {
    document.removeEventListener("focusin", remember);
    changes.disconnect();
  };
}
