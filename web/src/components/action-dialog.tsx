import type { ReactNode } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { ArmedButton } from "./armed-button.tsx";
import { Dialog } from "./dialog.tsx";
import { Button, TextArea } from "./form.tsx";
import { useArmed } from "./use-armed.ts";

/** Asks for what an action needs, and for its reason. The second click of a double click does not confirm. Without `reason` it only confirms; without `action` it can only be closed. */
export function ActionDialog(props: {
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
        readonly tone: "primary" | "approve" | "danger";
        readonly isDisabled: boolean;
        /** Something must be read first: the button keeps its focus and does nothing. */
        readonly isLocked?: boolean;
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
  const isArmed = useArmed(action?.label);
  const isMissing = reason?.isRequired === true && reason.text.trim() === "";
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {reason && (
        <TextArea label={reason.label} rows={3} maxLength={2000} value={reason.text} onText={reason.onChange} />
      )}
      {error}
      <div className="row">
        {action && (
          <ArmedButton
            tone={action.tone}
            disabled={isMissing || action.isDisabled}
            isArmed={isArmed && action.isLocked !== true}
            onClick={action.onConfirm}
          >
            {action.label}
          </ArmedButton>
        )}
        <Button onClick={onClose}>{t(words.back)}</Button>
      </div>
    </Dialog>
  );
}

const words = { back: { en: "Back", uk: "Назад" } } as const satisfies Record<string, Text>;
