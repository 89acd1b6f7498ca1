import { createExportPreset, deleteExportPreset, updateExportPreset, type ExportPreset, type FormItem } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';
import { Button } from '../parts/button';
import { ConfirmDialog, FormDialog } from '../parts/dialog';
import { Checkbox, Select, TextField } from '../parts/fields';
import { useAttempt } from '../parts/use-attempt';
import { useWords } from '../words/use-words';
import type { FileLook } from './export-file';
import style from './list.module.css';
import { isLookOf, lookOf, presetFileOf, presetsQuery } from './presets-data';

const maxName = 80;
const noPreset = 'none';

interface PresetsProps {
  form: string;
  /** Whether the person may change what the form's people share. */
  mayShare: boolean;
  items: readonly FormItem[];
  presets: readonly ExportPreset[];
  look: FileLook;
  onLook: (look: FileLook) => void;
  isDisabled: boolean;
  /** Whether the look as it is can be kept. */
  isComplete: boolean;
}

/** The looks of files that are kept under a name: to take one, to keep this one, and what becomes of a change of the one that was taken. */
export function ExportPresets({ form, mayShare, items, presets, look, onLook, isDisabled, isComplete }: PresetsProps) {
  const say = useWords('submissions');
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const bar = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const [dialog, setDialog] = useState<'save' | 'delete'>();
  /** The one that somebody else has saved since. */
  const [stale, setStale] = useState<string>();
  const preset = presets.find(({ id }) => id === chosen);
  const mayChange = preset !== undefined && (!preset.shared || mayShare);
  const isChanged = preset !== undefined && !isLookOf(look, preset, items);
  const refresh = () => queryClient.invalidateQueries(presetsQuery(form));
  const take = (id: string) => {
    const taken = presets.find((each) => each.id === id);
    setChosen(taken?.id);
    setStale(undefined);
    if (taken) onLook(lookOf(taken.file, items));
  };
  /** The buttons go away with the change. */
  const focusChoice = () => bar.current?.querySelector('button')?.focus();
  const save = async ({ id, updated_at: seenAt }: ExportPreset) => {
    try {
      await updateExportPreset({
        client,
        path: { id: form, presetId: id },
        body: { file: presetFileOf(look), if_updated_at: seenAt },
      });
      setStale(undefined);
      focusChoice();
    } catch (error) {
      if (!hasStatus(error, 409)) throw error;
      setStale(id);
    }
    await refresh();
  };
  const remove = async ({ id }: ExportPreset) => {
    await deleteExportPreset({ client, path: { id: form, presetId: id } });
    setChosen(undefined);
    await refresh();
  };
  const nameOf = ({ name, shared }: ExportPreset) => ({ label: name, help: shared ? say.presetShared : say.presetOwn });
  return (
    <div ref={bar} className={style.presets}>
      {presets.length > 0 && (
        <Select
          label={say.preset}
          options={[{ value: noPreset, label: say.presetNone }, ...presets.map((each) => ({ value: each.id, ...nameOf(each) }))]}
          value={preset?.id ?? noPreset}
          onChange={take}
          isDisabled={isDisabled}
        />
      )}
      <div className={style.exportActions}>
        {isChanged && mayChange && (
          <Button isSmall isDisabled={isDisabled || !isComplete} onPress={() => attempt(() => save(preset))}>
            {say.saveViewChanges}
          </Button>
        )}
        {isChanged && (
          <Button
            isSmall
            look="quiet"
            isDisabled={isDisabled}
            onPress={() => {
              take(preset.id);
              focusChoice();
            }}
          >
            {say.resetView}
          </Button>
        )}
        <Button isSmall look="quiet" isDisabled={isDisabled || !isComplete} onPress={() => setDialog('save')}>
          {say.presetSaveAs}
        </Button>
        {mayChange && (
          <Button isSmall look="quiet" isDisabled={isDisabled} onPress={() => setDialog('delete')}>
            {say.presetDelete}
          </Button>
        )}
      </div>
      {stale !== undefined && stale === preset?.id && (
        <p role="alert" className="fault">
          {say.presetStale}
        </p>
      )}
      {dialog === 'save' && (
        <SaveDialog
          form={form}
          mayShare={mayShare}
          presets={presets}
          look={look}
          onKept={async (id) => {
            await refresh();
            setChosen(id);
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'delete' && preset && (
        <ConfirmDialog
          title={say.presetDeleteTitle(preset.name)}
          submitLabel={say.presetDelete}
          onSubmit={() => remove(preset)}
          onClose={() => {
            setDialog(undefined);
            bar.current?.closest<HTMLElement>('[role=dialog]')?.focus();
          }}
        >
          {preset.shared ? say.presetDeleteShared : say.presetDeleteOwn}
        </ConfirmDialog>
      )}
    </div>
  );
}

interface SaveProps extends Pick<PresetsProps, 'form' | 'mayShare' | 'presets' | 'look'> {
  onKept: (id: string) => Promise<void>;
  onClose: () => void;
}

function SaveDialog({ form, mayShare, presets, look, onKept, onClose }: SaveProps) {
  const say = useWords('submissions');
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const isTaken = presets.some((each) => each.shared === shared && each.name === name.trim());
  const save = async () => {
    const { id } = await createExportPreset({ client, path: { id: form }, body: { name, shared, file: presetFileOf(look) } });
    await onKept(id);
  };
  return (
    <FormDialog
      title={say.presetSaveTitle}
      onClose={onClose}
      submitLabel={say.save}
      onSubmit={save}
      isIncomplete={name.trim() === '' || isTaken}
    >
      <TextField
        label={say.viewName}
        help={isTaken ? say.presetNameTaken : say.presetHelp}
        value={name}
        onChange={setName}
        maxLength={maxName}
        autoFocus
        autoComplete="off"
      />
      {mayShare && (
        <Checkbox isSelected={shared} onChange={setShared}>
          {say.shareView}
        </Checkbox>
      )}
    </FormDialog>
  );
}
