import type { FormItem } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { hasStatus } from '../api/problem-sentence';
import { noticeEndedSession } from '../api/query-client';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Checkbox, RadioGroup, Select } from '../parts/fields';
import { Problem } from '../parts/problem';
import { Skeleton } from '../parts/states';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { useLanguage, useWords } from '../words/use-words';
import { ExportColumns, usualColumns } from './export-columns';
import { ExportPresets } from './export-presets';
import { exportToFile, formatNames, keyOf, type FileLook, type FileWish } from './export-file';
import { exportsQuery, prepareExport } from './exports-data';
import style from './list.module.css';
import type { ListQuery } from './list-search';
import { OwnExports } from './own-exports';
import { gone, presetsQuery, without } from './presets-data';

type Scope = 'filtered' | 'all';

interface ExportDialogProps {
  form: string;
  /** Whether the person may change what the form's people share. */
  mayShare: boolean;
  /** The questions of the form as it is now. */
  items: readonly FormItem[];
  query: ListQuery;
  isFiltered: boolean;
  /** About how many submissions there are, as far as that is known. */
  counts: Readonly<Record<Scope, number>>;
  onClose: () => void;
}

const usualLook = {
  format: 'xlsx',
  hasOptionColumns: false,
  columns: undefined,
  delimiter: 'comma',
  hasMark: true,
} as const;

/**
 * From so many submissions on, an export in the background is offered first. A direct one ends with its connection, and with the page, and is
 * in the memory of the browser until it is complete: tens of megabytes by then, far earlier with the files.
 */
const manyFrom = 20_000;
const manyWithFilesFrom = 500;

/** Exports submissions as a file: at once, showing how much has arrived, or in the background. */
export function ExportDialog({ form, mayShare, items, query, isFiltered, counts, onClose }: ExportDialogProps) {
  const say = useWords('submissions');
  const formats = useFormats();
  const language = useLanguage();
  const [look, setLook] = useState<FileLook>({ ...usualLook, language });
  const change = (changed: Partial<FileLook>) => setLook((before) => ({ ...before, ...changed }));
  const [scope, setScope] = useState<Scope>(isFiltered ? 'filtered' : 'all');
  const own = useQuery(exportsQuery(form));
  const kept = useQuery(presetsQuery(form));
  const presets = kept.data?.data;
  const missing = new Set(presets?.flatMap((preset) => preset.missing));
  const inBackground = useBackgroundExport();
  const { bytes, error, start, cancel } = useExport(onClose);
  const isRunning = bytes !== undefined;
  const isTable = look.format === 'xlsx' || look.format === 'csv';
  const tabled = without(look, missing);
  const hasNoColumn = isTable && tabled.columns?.some(({ isChosen }) => isChosen) === false;
  // Its index is for people.
  const asked = look.format === 'zip' ? { ...look, language: look.language ?? language } : tabled;
  const leftOut = isTable ? look.columns?.filter(({ id, isChosen }) => isChosen && missing.has(keyOf(id) ?? '')) : undefined;
  const noLonger = isTable && items.length > 0 ? gone(look, items, missing) : [];
  const close = () => {
    cancel();
    onClose();
  };
  const wish = { form, look: asked, query: scope === 'filtered' ? query : {} };
  const from = look.format === 'zip' ? manyWithFilesFrom : manyFrom;
  const isMany = counts[scope] >= from;
  const direct = (
    <Button key="direct" look={isMany ? 'secondary' : 'primary'} isDisabled={hasNoColumn} onPress={() => start(wish)}>
      {say.startExport}
    </Button>
  );
  const background = (
    <Button
      key="background"
      look={isMany ? 'primary' : 'secondary'}
      isDisabled={hasNoColumn}
      isPending={inBackground.isPending}
      onPress={() => inBackground.prepare(wish)}
    >
      {say.prepareExport}
    </Button>
  );
  const footer = isRunning ? <Button onPress={cancel}>{say.cancelExport}</Button> : isMany ? [direct, background] : [background, direct];
  if (own.isPending)
    return (
      <Dialog title={say.exportTitle} onClose={close}>
        <Skeleton />
      </Dialog>
    );
  return (
    <Dialog title={say.exportTitle} onClose={close} footer={footer}>
      <OwnExports form={form} exports={own} begun={inBackground.begun} />
      {isFiltered && (
        <RadioGroup
          label={say.exportScope}
          options={[
            { value: 'filtered', label: say.exportFiltered },
            { value: 'all', label: say.exportAll },
          ]}
          value={scope}
          onChange={setScope}
          isDisabled={isRunning}
        />
      )}
      {presets && (
        <ExportPresets
          form={form}
          mayShare={mayShare}
          items={items}
          presets={presets}
          look={look}
          onLook={setLook}
          isDisabled={isRunning}
          isComplete={!isTable || look.columns?.some(({ isChosen }) => isChosen) !== false}
        />
      )}
      {kept.error !== null && !hasStatus(kept.error, 404) && <Problem error={kept.error} onRetry={() => void kept.refetch()} />}
      {leftOut !== undefined && leftOut.length > 0 && (
        <p role="status">{say.presetMissing(leftOut.map(({ id }) => keyOf(id)).join(', '))}</p>
      )}
      {noLonger.length > 0 && <p role="status">{say.presetGone(noLonger.join(', '))}</p>}
      <RadioGroup
        label={say.exportFormat}
        options={[
          { value: 'xlsx', label: formatNames.xlsx, help: say.xlsxHelp },
          { value: 'csv', label: formatNames.csv, help: say.csvHelp },
          { value: 'ndjson', label: formatNames.ndjson, help: say.ndjsonHelp },
          { value: 'zip', label: formatNames.zip, help: say.zipHelp },
        ]}
        value={look.format}
        onChange={(format) => change({ format })}
        isDisabled={isRunning}
      />
      {isTable && (
        <>
          <RadioGroup
            label={say.exportContents}
            options={[
              { value: 'people', label: say.forPeople, help: say.forPeopleHelp },
              { value: 'programs', label: say.forPrograms, help: say.forProgramsHelp },
            ]}
            value={look.language === undefined ? 'programs' : 'people'}
            onChange={(reader) => change({ language: reader === 'people' ? language : undefined, labels: undefined })}
            isDisabled={isRunning}
          />
          <Checkbox isSelected={look.hasOptionColumns} onChange={(hasOptionColumns) => change({ hasOptionColumns })} isDisabled={isRunning}>
            {say.optionColumns}
          </Checkbox>
          <Checkbox
            isSelected={look.columns !== undefined}
            onChange={(isChosen) => change({ columns: isChosen ? usualColumns(items) : undefined })}
            isDisabled={isRunning}
          >
            {say.chooseColumns}
          </Checkbox>
          {look.columns !== undefined && (
            <ExportColumns items={items} columns={look.columns} onChange={(columns) => change({ columns })} isDisabled={isRunning} />
          )}
        </>
      )}
      {look.format === 'csv' && (
        <>
          <Select
            label={say.delimiter}
            options={[
              { value: 'comma', label: say.delimiterComma },
              { value: 'semicolon', label: say.delimiterSemicolon },
              { value: 'tab', label: say.delimiterTab },
            ]}
            value={look.delimiter}
            onChange={(delimiter) => change({ delimiter })}
            isDisabled={isRunning}
          />
          <Checkbox isSelected={look.hasMark} onChange={(hasMark) => change({ hasMark })} isDisabled={isRunning}>
            {say.byteOrderMark}
          </Checkbox>
        </>
      )}
      {!isRunning && (
        <p className="muted">
          {isMany ? `${say.manySubmissions(formats.number(counts[scope]), formats.number(from))} ${say.inBackground}` : say.inBackground}
        </p>
      )}
      <p role="status" className={style.progressText}>
        {isRunning && (
          <>
            <progress aria-label={say.exporting} /> {say.received(formats.bytes(bytes))}
          </>
        )}
      </p>
      {error !== undefined && <Problem error={error} />}
      {inBackground.error !== undefined && <NotPrepared error={inBackground.error} />}
    </Dialog>
  );
}

/** The limit of a workspace is no reason to try again in a moment. */
function NotPrepared({ error }: { error: unknown }) {
  const say = useWords('submissions');
  if (!hasStatus(error, 429)) return <Problem error={error} />;
  return (
    <p role="alert" className="fault">
      {say.tooManyExports}
    </p>
  );
}

function useBackgroundExport() {
  const queryClient = useQueryClient();
  const [begun, setBegun] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const prepare = (wish: FileWish) => {
    setError(undefined);
    setIsPending(true);
    prepareExport(queryClient, wish)
      .then(setBegun, (thrown: unknown) => {
        noticeEndedSession(thrown);
        setError(thrown);
      })
      .finally(() => setIsPending(false));
  };
  return { begun, error, isPending, prepare };
}

function useExport(onDone: () => void) {
  const say = useWords('submissions');
  const [bytes, setBytes] = useState<number>();
  const [error, setError] = useState<unknown>();
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const start = (wanted: FileWish) => {
    const controller = new AbortController();
    ending.current = controller;
    setError(undefined);
    setBytes(0);
    exportToFile({ ...wanted, onProgress: setBytes, signal: controller.signal })
      .then(
        () => {
          toast({ text: say.exported });
          onDone();
        },
        (thrown: unknown) => !controller.signal.aborted && setError(thrown),
      )
      .finally(() => setBytes(undefined));
  };
  return { bytes, error, start, cancel: () => ending.current?.abort() };
}
