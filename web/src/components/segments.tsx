import { useId } from "react";

/** A choice of one among a few, side by side. */
export function Segments<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly onChoose: (value: Value) => void;
}) {
  const { label, value, options, onChoose } = props;
  const group = useId();
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={group} checked={option.value === value} onChange={() => onChoose(option.value)} />
          {option.name}
        </label>
      ))}
    </div>
  );
}
