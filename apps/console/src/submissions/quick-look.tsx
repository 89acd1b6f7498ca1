import type { FormItem, SubmissionDetail } from '@sheaf/client';
import { referenceOf } from '@sheaf/contracts';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, ButtonLink } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Skeleton } from '../parts/states';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { filesIn, type AnswerFile } from './fields';
import { addressOfFile, useFileFacts } from './file-facts';
import { Picture } from './picture';
import style from './quick-look.module.css';

/** The submission whose files are looked at, and the question to begin with. */
export interface Look {
  submission: string;
  key: string | undefined;
}

interface QuickLookProps {
  form: string;
  items: readonly FormItem[];
  /** The submissions that are loaded. */
  rows: readonly SubmissionDetail[];
  from: Look;
  onClose: () => void;
}

/** The files of submissions over the list: left and right go to the next one, up and down to those of the next submission. */
export function QuickLook({ form, items, rows, from, onClose }: QuickLookProps) {
  const say = useWords('submissions');
  const files = filesIn(rows, items);
  const [chosen, setChosen] = useState<AnswerFile>();
  const first = files.findIndex(({ submission, key }) => submission === from.submission && (from.key === undefined || key === from.key));
  const kept = files.findIndex(({ submission, id }) => submission === chosen?.submission && id === chosen.id);
  const at = kept < 0 ? first : kept;
  const file = files[at];
  const go = (to: number) => files[to] && setChosen(files[to]);
  const submissions = [...new Set(files.map(({ submission }) => submission))];
  const beside = (step: 1 | -1) => {
    const next = file && submissions[submissions.indexOf(file.submission) + step];
    if (next !== undefined) go(files.findIndex(({ submission }) => submission === next));
  };
  useKeys({
    ArrowRight: () => go(at + 1),
    ArrowLeft: () => go(at - 1),
    ArrowDown: () => beside(1),
    ArrowUp: () => beside(-1),
    ' ': onClose,
    v: onClose,
  });
  if (!file)
    return (
      <Dialog title={say.quickLook} onClose={onClose} isDismissable>
        <p className="muted">{say.noFilesHere}</p>
      </Dialog>
    );
  return (
    <Dialog
      title={file.label}
      isWide
      isDismissable
      onClose={onClose}
      footer={
        <>
          <Button isDisabled={at === 0} onPress={() => go(at - 1)}>
            {say.previousFile}
          </Button>
          <Button isDisabled={at === files.length - 1} onPress={() => go(at + 1)}>
            {say.nextFile}
          </Button>
        </>
      }
    >
      <File key={file.id} form={form} file={file} of={files.filter(({ submission }) => submission === file.submission)} />
    </Dialog>
  );
}

function File({ form, file: { id, submission }, of }: { form: string; file: AnswerFile; of: readonly AnswerFile[] }) {
  const say = useWords('submissions');
  const formats = useFormats();
  const { data, isPending } = useFileFacts(form, id);
  const name = data?.name ?? say.file;
  const place = of.findIndex((each) => each.id === id) + 1;
  const facts = [
    data && Number.isFinite(data.size) ? formats.bytes(data.size) : [],
    referenceOf(submission),
    of.length > 1 ? say.filePlace(formats.number(place), formats.number(of.length)) : [],
  ].flat();
  return (
    <>
      <div className={style.facts}>
        <p role="status">
          <bdi>{name}</bdi>
          {facts.map((fact) => (
            <span key={fact} className="muted">
              {' · '}
              <bdi>{fact}</bdi>
            </span>
          ))}
        </p>
        <ButtonLink isSmall look="quiet" icon={Download} aria-label={say.downloadFile(name)} href={addressOfFile(form, id)} download>
          {say.download}
        </ButtonLink>
      </div>
      <div className={style.stage}>
        {isPending ? (
          <Skeleton lines={6} />
        ) : data?.hasPreview ? (
          <Picture form={form} id={id} name={name} type={data.type} className={style.picture} />
        ) : (
          <p className="muted">{say.noPreview}</p>
        )}
      </div>
    </>
  );
}

/** Keys of the whole dialog. Space stays that of a button which has the focus. */
function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // As of the key that has just opened it.
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === ' ' && event.target instanceof Element && event.target.closest('button, a')) return;
      const act = current.current[mirrored(event.key)];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

const otherSide: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };
const mirrored = (key: string): string => (getComputedStyle(document.documentElement).direction === 'rtl' ? (otherSide[key] ?? key) : key);
