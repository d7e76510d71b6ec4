import { Copy } from "lucide-react";
import { Button } from "../../components/form.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** A secret that is shown only now, with a button that copies it. */
export function ShownOnce({ secret }: { readonly secret: string }) {
  const t = useT();
  return (
    <div className="alert" role="status">
      <span>{t(words.once)}</span>
      <span className="row">
        <code className="break">{secret}</code>
        <CopyButton text={secret} />
      </span>
    </div>
  );
}

export function CopyButton({ text }: { readonly text: string }) {
  const t = useT();
  const toast = useToast();
  return (
    <Button tone="small" onClick={() => void navigator.clipboard.writeText(text).then(() => toast(t(words.copied)))}>
      <Copy size={14} aria-hidden="true" /> {t(words.copy)}
    </Button>
  );
}

const words = {
  copy: { en: "Copy", uk: "Копіювати" },
  copied: { en: "Copied", uk: "Скопійовано" },
  once: { en: "Copy it now. It is not shown again.", uk: "Скопіюйте зараз: більше його не буде видно." },
} as const satisfies Record<string, Text>;
