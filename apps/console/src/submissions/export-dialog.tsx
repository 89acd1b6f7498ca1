import type { FormItem } from '@sheaf/client';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Checkbox, RadioGroup, Select } from '../parts/fields';
import { Problem } from '../parts/problem';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { useLanguage, useWords } from '../words/use-words';
import { ExportColumns, usualColumns } from './export-columns';
import { exportToFile, type FileLook } from './export-file';
import style from './list.module.css';
import type { ListQuery } from './list-search';

interface ExportDialogProps {
  form: string;
  /** The questions of the form as it is now. */
  items: readonly FormItem[];
  query: ListQuery;
  isFiltered: boolean;
  onClose: () => void;
}

const usualLook = {
  format: 'xlsx',
  hasOptionColumns: false,
  columns: undefined,
  delimiter: 'comma',
  hasMark: true,
} as const;

/** Exports submissions as a file, and shows how much has arrived. */
export function ExportDialog({ form, items, query, isFiltered, onClose }: ExportDialogProps) {
  const say = useWords('submissions');
  const formats = useFormats();
  const language = useLanguage();
  const [look, setLook] = useState<FileLook>({ ...usualLook, language });
  const change = (changed: Partial<FileLook>) => setLook((before) => ({ ...before, ...changed }));
  const [scope, setScope] = useState<'filtered' | 'all'>(isFiltered ? 'filtered' : 'all');
  const { bytes, error, start, cancel } = useExport(onClose);
  const isRunning = bytes !== undefined;
  const isTable = look.format === 'xlsx' || look.format === 'csv';
  const hasNoColumn = isTable && look.columns?.some(({ isChosen }) => isChosen) === false;
  // Its index is for people.
  const asked = look.format === 'zip' ? { ...look, language } : look;
  const close = () => {
    cancel();
    onClose();
  };
  const footer = isRunning ? (
    <Button onPress={cancel}>{say.cancelExport}</Button>
  ) : (
    <Button look="primary" isDisabled={hasNoColumn} onPress={() => start({ form, look: asked, query: scope === 'filtered' ? query : {} })}>
      {say.startExport}
    </Button>
  );
  return (
    <Dialog title={say.exportTitle} onClose={close} footer={footer}>
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
      <RadioGroup
        label={say.exportFormat}
        options={[
          { value: 'xlsx', label: 'Excel', help: say.xlsxHelp },
          { value: 'csv', label: 'CSV', help: say.csvHelp },
          { value: 'ndjson', label: 'NDJSON', help: say.ndjsonHelp },
          { value: 'zip', label: 'ZIP', help: say.zipHelp },
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
            onChange={(reader) => change({ language: reader === 'people' ? language : undefined })}
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
      <p role="status" className={style.progressText}>
        {isRunning && (
          <>
            <progress aria-label={say.exporting} /> {say.received(formats.bytes(bytes))}
          </>
        )}
      </p>
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
}

type Wanted = Omit<Parameters<typeof exportToFile>[0], 'onProgress' | 'signal'>;

function useExport(onDone: () => void) {
  const say = useWords('submissions');
  const [bytes, setBytes] = useState<number>();
  const [error, setError] = useState<unknown>();
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const start = (wanted: Wanted) => {
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
