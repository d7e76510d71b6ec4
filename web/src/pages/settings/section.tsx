import { CircleAlert, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "../../api/client.ts";

/** A section of the settings: title, one line about it, an action, and rows. */
export function SettingsSection(props: {
  readonly id: string;
  readonly title: string;
  readonly about?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const { id, title, about, action, children } = props;
  return (
    <section className="settings-section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {about !== undefined && <p className="meta">{about}</p>}
        {action}
      </header>
      {children}
    </section>
  );
}

/** One setting: its name and what it does, its value, and an action. */
export function SettingRow(props: {
  readonly name: ReactNode;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  const { name, about, children, action } = props;
  return (
    <div className="setting-row">
      <div className="setting-name">
        <b>{name}</b>
        {about !== undefined && <span className="meta">{about}</span>}
      </div>
      <div className="setting-value">{children}</div>
      {action !== undefined && <div className="setting-action">{action}</div>}
    </div>
  );
}

/** The form for a new item, behind a button at the head of its section. */
export function AddForm(props: {
  readonly label: string;
  /** Opens it; the person may close it again. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}) {
  const { label, isOpen = false, children } = props;
  return (
    <details className="add-form" open={isOpen || undefined}>
      <summary className="button small">
        <Plus size={14} aria-hidden="true" /> {label}
      </summary>
      {children}
    </details>
  );
}

/** The error of a change, at its row. */
export function RowError({ error }: { readonly error: Error }) {
  const hint = error instanceof ApiError ? error.hint : undefined;
  return (
    <p className="alert bad" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <span>
        {error.message} {hint}
      </span>
    </p>
  );
}
