import { listAuditEntries, type AuditEntry } from '@sheaf/client';
import { useState } from 'react';
import { client } from '../../api/client';
import { FormDialog } from '../../parts/dialog';
import { RadioGroup } from '../../parts/fields';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import style from './audit-log.module.css';
import { asCsv, asNdjson } from './export-file';
import type { AuditQuery } from './filter';

const pageSize = 100;

/** A page in the browser holds so many without trouble; longer periods are for the API. */
const atMost = 10_000;

/** Writes the entries that match into a file, page after page. Closing the dialog ends it. */
export function ExportDialog({ query, onClose }: { query: AuditQuery; onClose: () => void }) {
  const say = useWords('auditLog').page;
  const formats = useFormats();
  const [format, setFormat] = useState<'csv' | 'ndjson'>('csv');
  const [stopper] = useState(() => new AbortController());
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const write = async () => {
    const entries = await readAll(query, stopper.signal, (done, all) => setProgress({ done, all }));
    if (stopper.signal.aborted) return;
    const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/x-ndjson';
    save(new Blob([format === 'csv' ? asCsv(entries) : asNdjson(entries)], { type }), `audit-log.${format}`);
  };
  const close = () => {
    stopper.abort();
    onClose();
  };
  return (
    <FormDialog title={say.exportTitle} onClose={close} submitLabel={say.export} onSubmit={write}>
      <p>{say.exportHelp(formats.number(atMost))}</p>
      <RadioGroup
        label={say.format}
        value={format}
        onChange={setFormat}
        options={[
          { value: 'csv', label: 'CSV', help: say.csvHelp },
          { value: 'ndjson', label: 'NDJSON', help: say.ndjsonHelp },
        ]}
      />
      {progress && (
        <div role="status">
          <progress
            className={style.progress}
            aria-label={say.exportTitle}
            max={progress.all}
            value={Math.min(progress.done, progress.all)}
          />
          <p>{say.exporting(formats.number(progress.done), formats.number(progress.all))}</p>
        </div>
      )}
    </FormDialog>
  );
}

async function readAll(query: AuditQuery, signal: AbortSignal, onProgress: (done: number, all: number) => void): Promise<AuditEntry[]> {
  // New entries would move older ones to the next page.
  const to = query.to ?? new Date().toISOString();
  const entries: AuditEntry[] = [];
  for (;;) {
    const page = await listAuditEntries({ client, query: { ...query, to, limit: pageSize, offset: entries.length }, signal });
    entries.push(...page.data);
    onProgress(entries.length, Math.min(page.total, atMost));
    if (page.data.length < pageSize || entries.length >= atMost) return entries;
  }
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
