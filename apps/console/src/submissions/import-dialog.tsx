import {
  importSubmissions,
  previewImport,
  type FormItem,
  type ImportFault,
  type ImportPreview,
  type SubmissionImport,
} from '@sheaf/client';
import { FileUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { DropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Text } from 'react-aria-components/Text';
import { client } from '../api/client';
import { noticeEndedSession } from '../api/query-client';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Checkbox, Select } from '../parts/fields';
import { Problem } from '../parts/problem';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { ImportColumns, labelsOf } from './import-columns';
import style from './import-dialog.module.css';

type DateOrder = 'day_first' | 'month_first';

interface Reading {
  file: File;
  /** The targets of columns that are not those that were proposed, by their numbers. */
  chosen: ReadonlyMap<number, string>;
  dateOrder: DateOrder | undefined;
}

interface ImportDialogProps {
  form: string;
  items: readonly FormItem[];
  /** Submissions were stored. */
  onDone: () => void;
  onClose: () => void;
}

/** A file is chosen, its columns are matched while what comes of it is shown, and it is imported as it was shown. */
export function ImportDialog({ form, items, onDone, onClose }: ImportDialogProps) {
  const say = useWords('submissions');
  const formats = useFormats();
  const { reading, preview, result, error, isReading, isImporting, read, start, forget } = useImport(form, onDone);
  const [onlyValid, setOnlyValid] = useState(false);
  const [events, setEvents] = useState(false);
  const isBusy = isReading || isImporting;
  if (result) return <Imported result={result} onClose={onClose} />;
  if (!reading || !preview)
    return (
      <Dialog title={say.importTitle} onClose={onClose}>
        <p className="muted">{say.importHelp}</p>
        {error !== undefined && <Problem error={error} />}
        <FileZone isPending={isReading} onFile={(file) => read({ file, chosen: new Map(), dateOrder: undefined })} />
      </Dialog>
    );
  const { unasked = [] } = preview;
  const labels = labelsOf(items);
  const labelOf = (key: string) => labels.get(key) ?? key;
  const hasFaults = preview.fault_count > 0;
  const mayStart = preview.valid > 0 && (!hasFaults || onlyValid);
  const hasUnclearDates = reading.dateOrder !== undefined || preview.faults.some(({ message }) => message.includes('date_order'));
  return (
    <Dialog
      title={say.importTitle}
      isWide
      onClose={onClose}
      footer={
        <>
          <Button onPress={forget} isDisabled={isImporting}>
            {say.importOther}
          </Button>
          <Button
            look="primary"
            isDisabled={!mayStart || isReading}
            isPending={isImporting}
            onPress={() => start({ onlyValid: hasFaults && onlyValid, events })}
          >
            {say.importStart(formats.number(preview.valid))}
          </Button>
        </>
      }
    >
      <p>
        <strong dir="auto">{reading.file.name}</strong>
        {Object.hasOwn(say.importSources, preview.source) && (
          <span className="muted"> · {say.importSources[preview.source as keyof typeof say.importSources]}</span>
        )}
      </p>
      <p role="status" className={style.status}>
        {isBusy ? (
          <>
            <progress aria-label={isReading ? say.importReading : say.importing} /> {isReading ? say.importReading : say.importing}
          </>
        ) : (
          say.importValid(formats.number(preview.valid), formats.number(preview.rows))
        )}
      </p>
      {error !== undefined && <Problem error={error} />}
      {preview.missing.length > 0 && <p className={style.refusal}>{say.importMissing(formats.list(preview.missing.map(labelOf)))}</p>}
      {unasked.length > 0 && <p className="muted">{say.importUnasked(formats.list(unasked.map(labelOf)))}</p>}
      <ImportColumns
        items={items}
        columns={preview.columns}
        isDisabled={isBusy}
        onChange={(changed) => {
          const chosen = new Map(reading.chosen);
          for (const [number, target] of changed) chosen.set(number, target);
          read({ ...reading, chosen });
        }}
      />
      {hasUnclearDates && (
        <Select
          label={say.importDates}
          options={[
            { value: 'unknown', label: say.importDatesUnknown },
            { value: 'day_first', label: say.importDayFirst },
            { value: 'month_first', label: say.importMonthFirst },
          ]}
          value={reading.dateOrder ?? 'unknown'}
          isDisabled={isBusy}
          onChange={(order) => read({ ...reading, dateOrder: order === 'unknown' ? undefined : order })}
        />
      )}
      {hasFaults && <Faults faults={preview.faults} count={preview.fault_count} />}
      {hasFaults && preview.valid > 0 && (
        <Checkbox isSelected={onlyValid} onChange={setOnlyValid} isDisabled={isBusy}>
          {say.importOnlyValid}
        </Checkbox>
      )}
      <Checkbox isSelected={events} onChange={setEvents} isDisabled={isBusy}>
        {say.importEvents}
      </Checkbox>
    </Dialog>
  );
}

function Imported({ result, onClose }: { result: SubmissionImport; onClose: () => void }) {
  const say = useWords('submissions');
  const formats = useFormats();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // After the dialog has noticed that the button which had the focus is gone.
    const frame = requestAnimationFrame(() => button.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Dialog
      title={say.importTitle}
      onClose={onClose}
      footer={
        <Button look="primary" onPress={onClose} ref={button}>
          {say.importShow}
        </Button>
      }
    >
      <p role="status">{say.importDone(result.imported)}</p>
      {result.left_out > 0 && <p className="muted">{say.importLeftOut(formats.number(result.left_out))}</p>}
    </Dialog>
  );
}

function FileZone({ isPending, onFile }: { isPending: boolean; onFile: (file: File) => void }) {
  const say = useWords('submissions');
  return (
    <DropZone
      className={style.zone ?? ''}
      onDrop={({ items }) => {
        const [item] = items.filter(({ kind }) => kind === 'file');
        if (item?.kind === 'file' && !isPending) void item.getFile().then(onFile);
      }}
    >
      <FileUp size={28} strokeWidth={1.5} aria-hidden />
      <Text slot="label">{say.importDrop}</Text>
      <FileTrigger
        acceptedFileTypes={['.csv', '.tsv', '.txt', '.xlsx']}
        onSelect={(files) => {
          const file = files?.[0];
          if (file) onFile(file);
        }}
      >
        <Button isPending={isPending}>{isPending ? say.importReading : say.importChoose}</Button>
      </FileTrigger>
    </DropZone>
  );
}

/** The faults of the file by row, which the server says in English. */
function Faults({ faults, count }: { faults: readonly ImportFault[]; count: number }) {
  const say = useWords('submissions');
  const formats = useFormats();
  return (
    <section className={style.section} aria-labelledby="import-faults">
      <h3 id="import-faults">{say.importFaults}</h3>
      <ul className={style.faults} tabIndex={0} aria-labelledby="import-faults">
        {faults.map(({ row, column, key, heading, message }) => (
          <li key={`${row} ${column} ${key} ${message}`}>
            <span className="muted" dir="auto">
              {say.importFault(formats.number(row), heading ?? key)}
            </span>{' '}
            <span lang="en" dir="auto">
              {message}
            </span>
          </li>
        ))}
        {count > faults.length && <li className="muted">{say.importMoreFaults(formats.number(count - faults.length))}</li>}
      </ul>
    </section>
  );
}

/** Storing thousands of rows takes longer than people wait for an answer elsewhere. */
const timeoutMs = 300_000;

function useImport(form: string, onDone: () => void) {
  const [reading, setReading] = useState<Reading>();
  const [preview, setPreview] = useState<ImportPreview>();
  const [result, setResult] = useState<SubmissionImport>();
  const [error, setError] = useState<unknown>();
  const [doing, setDoing] = useState<'reading' | 'importing'>();
  const ending = useRef<AbortController>(undefined);
  /** Of one file, matched in one way: an attempt that is repeated imports nothing twice. */
  const key = useRef({ of: '', value: '' });
  useEffect(() => () => ending.current?.abort(), []);
  const query = ({ chosen, dateOrder }: Reading) => ({
    match: [...chosen].map(([number, target]) => `${number}:${target}`),
    ...(dateOrder && { date_order: dateOrder }),
  });
  const fail = (thrown: unknown) => {
    noticeEndedSession(thrown);
    setError(thrown);
  };

  const read = (next: Reading) => {
    ending.current?.abort();
    const controller = (ending.current = new AbortController());
    setError(undefined);
    setDoing('reading');
    previewImport({ client, path: { id: form }, query: query(next), body: { file: next.file }, signal: controller.signal, timeoutMs })
      .then(
        (found) => {
          if (controller.signal.aborted) return;
          setReading(next);
          setPreview(found);
        },
        (thrown: unknown) => !controller.signal.aborted && fail(thrown),
      )
      .finally(() => ending.current === controller && setDoing(undefined));
  };
  const start = ({ onlyValid, events }: { onlyValid: boolean; events: boolean }) => {
    if (!reading || !preview) return;
    const wanted = { ...query(reading), version: preview.version, only_valid: onlyValid, events };
    const { name, size, lastModified } = reading.file;
    const of = JSON.stringify([name, size, lastModified, wanted]);
    if (key.current.of !== of) key.current = { of, value: crypto.randomUUID() };
    setError(undefined);
    setDoing('importing');
    importSubmissions({
      client,
      path: { id: form },
      query: wanted,
      body: { file: reading.file },
      headers: { 'Idempotency-Key': key.current.value },
      timeoutMs,
    })
      .then((done) => {
        setResult(done);
        onDone();
      }, fail)
      .finally(() => setDoing(undefined));
  };
  const forget = () => {
    ending.current?.abort();
    setReading(undefined);
    setPreview(undefined);
    setError(undefined);
    setDoing(undefined);
  };
  return { reading, preview, result, error, isReading: doing === 'reading', isImporting: doing === 'importing', read, start, forget };
}
