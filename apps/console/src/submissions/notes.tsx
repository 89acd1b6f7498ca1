import {
  addSubmissionNote,
  all,
  deleteSubmissionNote,
  listSubmissionNotes,
  updateSubmissionNote,
  type FormSettingsDetail,
  type SubmissionNote,
} from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { client } from '../api/client';
import { problemSentence } from '../api/problem-sentence';
import { isOwner, mayEdit } from '../form/form';
import { Button, IconButton } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { TextField } from '../parts/fields';
import { Problem } from '../parts/problem';
import { Since } from '../parts/states';
import { toast } from '../parts/toasts';
import { useSession } from '../session/session';
import { useLanguage, useWords } from '../words/use-words';
import { detailKey, patchRows } from './list-data';
import { noteOwnChanges } from './live';
import style from './panel.module.css';
import { actorName, type People } from './people';

interface NotesProps {
  form: FormSettingsDetail;
  id: string;
  people: People;
}

/** A submission can have 1,000 notes. */
const maxShown = 200;

/** The notes about a submission, the newest first. */
export function useNotes(form: string, id: string) {
  const queryClient = useQueryClient();
  const key = [...detailKey(form, id), 'notes'];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const notes: SubmissionNote[] = [];
      for await (const note of all(listSubmissionNotes, { client, path: { id: form, subId: id }, query: { limit: 100 }, signal })) {
        notes.push(note);
        if (notes.length >= maxShown) break;
      }
      return notes;
    },
  });
  const change = (edit: (notes: readonly SubmissionNote[]) => SubmissionNote[]) => {
    noteOwnChanges([id]);
    const next = edit(queryClient.getQueryData<SubmissionNote[]>(key) ?? []);
    queryClient.setQueryData(key, next);
    patchRows(queryClient, form, new Map([[id, { notes: next.length }]]));
  };
  return { notes: data, error, refetch, change };
}

/** The notes of members about a submission. */
export function Notes({ form, id, people }: NotesProps) {
  const say = useWords('submissions');
  const language = useLanguage();
  const { user } = useSession();
  const { notes, error, refetch, change } = useNotes(form.id, id);
  const path = { id: form.id, subId: id };
  const add = async (text: string) => {
    const added = await addSubmissionNote({ client, path, body: { text } });
    change((before) => [added, ...before]);
  };
  const addAgain = (text: string) => {
    add(text).catch((thrown: unknown) => toast({ text: problemSentence(thrown, language).title, onUndo: () => addAgain(text) }));
  };
  const remove = async (note: SubmissionNote) => {
    await deleteSubmissionNote({ client, path: { ...path, noteId: note.id } });
    change((before) => before.filter((each) => each.id !== note.id));
    // Written again, it would be one's own.
    toast({ text: say.noteDeleted, onUndo: isBy(note, user.id) ? () => addAgain(note.text) : undefined });
  };
  const update = async (note: SubmissionNote, text: string) => {
    const changed = await updateSubmissionNote({ client, path: { ...path, noteId: note.id }, body: { text } });
    change((before) => before.map((each) => (each.id === note.id ? changed : each)));
  };
  return (
    <section aria-label={say.notes} className={style.section}>
      <h3>{say.notes}</h3>
      {mayEdit(form) && <NewNote id={id} onSubmit={add} />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {notes?.length === 0 && !mayEdit(form) && <p className="muted">{say.noNotes}</p>}
      <ul className={style.notes}>
        {notes?.map((note) => (
          <Note
            key={note.id}
            form={form}
            note={note}
            people={people}
            onDelete={() => remove(note)}
            onUpdate={(text) => update(note, text)}
          />
        ))}
      </ul>
    </section>
  );
}

const isBy = ({ author }: SubmissionNote, userId: string): boolean => author.kind === 'user' && author.id === userId;

interface NoteProps {
  form: FormSettingsDetail;
  note: SubmissionNote;
  people: People;
  onDelete: () => Promise<void>;
  onUpdate: (text: string) => Promise<void>;
}

function Note({ form, note, people, onDelete, onUpdate }: NoteProps) {
  const say = useWords('submissions');
  const { user } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const language = useLanguage();
  const isAuthor = isBy(note, user.id);
  const remove = () => {
    onDelete().catch((thrown: unknown) => toast({ text: problemSentence(thrown, language).title }));
  };
  if (isEditing)
    return (
      <li>
        <NoteForm
          label={say.editNote}
          submitLabel={say.save}
          initial={note.text}
          onSubmit={async (text) => {
            await onUpdate(text);
            setIsEditing(false);
          }}
          onCancel={() => setIsEditing(false)}
        />
      </li>
    );
  return (
    <li className={style.note}>
      <div className={style.noteHead}>
        <bdi>{actorName(note.author, people, say)}</bdi>
        <span className="muted">
          <Since time={note.created_at} />
          {note.edited_at !== undefined && ` · ${say.noteEdited}`}
        </span>
        <span className={style.grows} />
        {mayEdit(form) && isAuthor && <IconButton isSmall icon={Pencil} label={say.editNote} onPress={() => setIsEditing(true)} />}
        {((mayEdit(form) && isAuthor) || isOwner(form)) && (
          <IconButton isSmall icon={Trash2} label={say.deleteNote} onPress={isAuthor ? remove : () => setIsAsking(true)} />
        )}
      </div>
      <p dir="auto" className={style.answer}>
        {note.text}
      </p>
      {isAsking && (
        <ConfirmDialog title={say.deleteNoteTitle} onClose={() => setIsAsking(false)} submitLabel={say.deleteNote} onSubmit={onDelete}>
          <p>{say.deleteNoteHelp(actorName(note.author, people, say))}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

/** Notes that were begun, by the submission that they are about: who looks at another one finds them again. */
const begun = new Map<string, string>();

function NewNote({ id, onSubmit }: { id: string; onSubmit: (text: string) => Promise<void> }) {
  const say = useWords('submissions');
  const keep = (text: string) => {
    if (text === '') begun.delete(id);
    else begun.set(id, text);
  };
  return <NoteForm label={say.newNote} submitLabel={say.addNote} initial={begun.get(id)} onChange={keep} onSubmit={onSubmit} isCleared />;
}

interface NoteFormProps {
  label: string;
  submitLabel: string;
  initial?: string | undefined;
  onChange?: (text: string) => void;
  onSubmit: (text: string) => Promise<void>;
  onCancel?: () => void;
  isCleared?: boolean;
}

function NoteForm({ label, submitLabel, initial = '', onChange, onSubmit, onCancel, isCleared = false }: NoteFormProps) {
  const say = useWords('submissions');
  const [text, setText] = useState(initial);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  });
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const type = (next: string) => {
    setText(next);
    onChange?.(next);
  };
  const send = async () => {
    if (text.trim() === '' || isPending) return;
    setIsPending(true);
    setError(undefined);
    try {
      await onSubmit(text.trim());
      // Text that was typed meanwhile stays.
      if (isCleared && latest.current === text) type('');
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsPending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
  };
  return (
    <div className={style.noteForm} onKeyDown={onKeyDown}>
      <TextField label={label} isLong rows={2} value={text} onChange={type} maxLength={5_000} />
      {error !== undefined && <Problem error={error} />}
      {(text.trim() !== '' || onCancel) && (
        <div className={style.actions}>
          <Button isSmall onPress={() => void send()} isPending={isPending}>
            {submitLabel}
          </Button>
          {onCancel && (
            <Button isSmall look="quiet" onPress={onCancel}>
              {say.cancel}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
