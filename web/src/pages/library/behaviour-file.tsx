import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { useRef } from "react";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Takes a behaviour from a file, after the same checks as from another garden. */
export function TakeBehaviourFile() {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const take = useMutation({
    mutationFn: async (file: File) => call("POST /library/files", { body: { text: await file.text() } }),
    onSuccess: async ({ id, name }) => {
      toast(t(words.taken, name));
      await invalidate(client, "/library");
      await navigate({ to: "/library", search: { id } });
    },
  });
  return (
    <>
      <Button tone="small ghost" disabled={take.isPending} onClick={() => input.current?.click()}>
        <FileUp size={14} aria-hidden="true" />
        {t(words.take)}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label={t(words.file)}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) take.mutate(file);
          target.value = "";
        }}
      />
      {take.error && <MutationError error={take.error} />}
    </>
  );
}

/** Saves a signed behaviour as one file, for a garden that does not follow this one. */
export function SaveBehaviourFile({ id }: { readonly id: string }) {
  const t = useT();
  const save = useMutation({
    mutationFn: () => call("GET /library/:id/file", { params: { id } }),
    onSuccess: ({ name, text }) => {
      const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      const link = document.createElement("a");
      link.href = address;
      link.download = name;
      link.click();
      URL.revokeObjectURL(address);
    },
  });
  return (
    <>
      <Button tone="small ghost" disabled={save.isPending} onClick={() => save.mutate()}>
        {t(words.save)}
      </Button>
      {save.error && <MutationError error={save.error} />}
    </>
  );
}

const words = {
  take: { en: "From a file…", uk: "З файлу…" },
  file: { en: "File of a behaviour", uk: "Файл поведінки" },
  taken: { en: "“{}” is in the library now", uk: "«{}» тепер у бібліотеці" },
  save: { en: "Save as a file", uk: "Зберегти файлом" },
} as const satisfies Record<string, Text>;
