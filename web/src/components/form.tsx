import type { ComponentProps } from "react";

/** A button that does not submit a form. */
export const Button = (props: ComponentProps<"button"> & { readonly tone?: string }) => {
  const { tone = "", ...rest } = props;
  return <button type="button" className={`button ${tone}`} {...rest} />;
};

/** A form that its page handles: submitting it does not load another page. */
export const Form = ({
  onSubmit,
  ...rest
}: Omit<ComponentProps<"form">, "onSubmit"> & { readonly onSubmit: () => void }) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  />
);

interface Labelled {
  readonly label: string;
  readonly onText: (text: string) => void;
}

export const TextField = ({ label, onText, ...rest }: ComponentProps<"input"> & Labelled) => (
  <label className="labelled">
    <span>{label}</span>
    <input className="field" {...rest} onChange={({ target }) => onText(target.value)} />
  </label>
);

export const TextArea = ({ label, onText, ...rest }: ComponentProps<"textarea"> & Labelled) => (
  <label className="labelled">
    <span>{label}</span>
    <textarea className="field" {...rest} onChange={({ target }) => onText(target.value)} />
  </label>
);
