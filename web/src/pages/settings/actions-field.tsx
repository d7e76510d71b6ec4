import { actionLabels } from "../../components/labels.ts";
import { useT } from "../../i18n/use-t.ts";

export const rulableActions = [
  "propose-note",
  "propose-edit",
  "propose-tag",
  "propose-comment",
  "propose-summary",
  "propose-artifact",
  "memory-update",
] as const;
export type RulableAction = (typeof rulableActions)[number];

/** Check boxes for kinds of change. */
export function ActionsField(props: {
  readonly label: string;
  readonly actions: readonly RulableAction[];
  readonly onChange: (actions: RulableAction[]) => void;
}) {
  const t = useT();
  const { label, actions, onChange } = props;
  return (
    <fieldset className="plain">
      <legend className="quiet small">{label}</legend>
      <div className="row">
        {rulableActions.map((action) => (
          <label key={action} className="row">
            <input
              type="checkbox"
              checked={actions.includes(action)}
              onChange={({ target }) =>
                onChange(target.checked ? [...actions, action] : actions.filter((one) => one !== action))
              }
            />
            {t(actionLabels[action]!)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
