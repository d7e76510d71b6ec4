import { FileUp, FolderUp } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { chosenFiles, droppedFiles, type ImportFile } from "./dropped-files.ts";

/** A place to drop files, with buttons that do the same. `largest` limits the bytes read of one file. */
export function DropZone(props: {
  readonly title: string;
  readonly hint: string;
  readonly isBusy: boolean;
  /** A whole folder may be chosen. */
  readonly hasFolder: boolean;
  readonly largest?: number;
  readonly onFiles: (files: Promise<ImportFile[]>) => void;
}) {
  const { title, hint, isBusy, hasFolder, largest, onFiles } = props;
  const t = useT();
  const [isOver, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (field: HTMLInputElement): void => {
    if (field.files && field.files.length > 0) onFiles(chosenFiles(field.files, largest));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same by keyboard
    <div
      className="drop-zone"
      data-over={isOver || undefined}
      aria-busy={isBusy}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles(droppedFiles(event.dataTransfer, largest));
      }}
    >
      <FileUp size={40} strokeWidth={1.5} aria-hidden="true" />
      <h2>{title}</h2>
      <p className="quiet">{hint}</p>
      <div className="row wrap">
        <Button tone="primary" disabled={isBusy} onClick={() => files.current?.click()}>
          <FileUp size={16} aria-hidden="true" /> {t(words.files)}
        </Button>
        {hasFolder && (
          <Button disabled={isBusy} onClick={() => folder.current?.click()}>
            <FolderUp size={16} aria-hidden="true" /> {t(words.folder)}
          </Button>
        )}
      </div>
      <input
        ref={files}
        hidden
        type="file"
        multiple={hasFolder}
        aria-label={t(words.files)}
        onChange={({ target }) => take(target)}
      />
      {hasFolder && (
        <input
          hidden
          type="file"
          aria-label={t(words.folder)}
          ref={(field) => {
            folder.current = field;
            field?.setAttribute("webkitdirectory", "");
          }}
          onChange={({ target }) => take(target)}
        />
      )}
    </div>
  );
}

const words = {
  files: { en: "Choose files", uk: "Вибрати файли" },
  folder: { en: "Choose a folder", uk: "Вибрати теку" },
} as const satisfies Record<string, Text>;
