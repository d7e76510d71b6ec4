import type { ReactNode } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { Dialog } from "./dialog.tsx";

/** Confirms an action and asks for its reason. Without `reason` it only confirms; without `action` it can only be closed. */
export function ReasonDialog(props: {
  readonly title: string;
  readonly reason?:
    | {
        readonly label: string;
        readonly text: string;
        readonly onChange: (text: string) => void;
        readonly isRequired: boolean;
      }
    | undefined;
  readonly action?:
    | {
        readonly label: string;
        readonly tone: "primary" | "danger";
        readonly isPending: boolean;
        readonly onConfirm: () => void;
      }
    | undefined;
  /** Shown above the buttons. */
  readonly error?: ReactNode;
  readonly onClose: () => void;
  /** Shown above the reason. */
  readonly children?: ReactNode;
}) {
  const { title, reason, action, error, onClose, children } = props;
  const t = useT();
  const isMissing = reason?.isRequired === true && reason.text.trim() === "";
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {reason && (
        <label className="labelled">
          <span>{reason.label}</span>
          <textarea
            className="field"
            rows={3}
            maxLength={2000}
            value={reason.text}
            onChange={({ target }) => reason.onChange(target.value)}
          />
        </label>
      )}
      {error}
      <div className="row">
        {action && (
          <button
            type="button"
            className={`button ${action.tone}`}
            disabled={isMissing || action.isPending}
            onClick={action.onConfirm}
          >
            {action.label}
          </button>
        )}
        <button type="button" className="button" onClick={onClose}>
          {t(words.back)}
        </button>
      </div>
    </Dialog>
  );
}

const words = { back: { en: "Back", uk: "Назад" } } as const satisfies Record<string, Text>;
