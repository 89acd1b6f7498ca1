import type { Draft } from '@sheaf/client';
import { mainTextOf, type Field } from '@sheaf/contracts';
import { contentsOf, hasSameContent } from '../model/contents';
import type { Edit } from '../model/edits';
import { DraftEditor, type Surroundings } from './draft-editor';

const field = (key: string, parts: Partial<Field> = {}): Field => ({ key, label: key, type: 'short_text', required: false, ...parts });
const label = (id: string, text: string): Edit => ({ do: 'change', id, to: { label: text } });

const relabelled = (fields: readonly Field[], key: string, text: string) =>
  fields.map((each) => (each.key === key ? { ...each, label: text } : each));

type Verdict = ReturnType<Surroundings['verdict']>;
const failure = (verdict: Verdict, details: readonly { key: string; message: string }[] = []) =>
  Object.assign(new Error(verdict), { verdict, details });
type Failure = ReturnType<typeof failure>;

type Sent = { fields: readonly unknown[]; revision: number };

/** A server with one draft, whose answers a test may hold back, lose or replace. */
class Server {
  draft = { fields: [field('a'), field('b')], revision: 1, updated_at: '' } as unknown as Draft;
  readonly saves: Sent[] = [];
  fails: Failure | undefined;
  losesAnswer = false;
  private held: (() => void)[] | undefined;

  readonly save = async (sent: Sent): Promise<Draft> => {
    this.saves.push(sent);
    if (this.held) await new Promise<void>((resolve) => this.held?.push(resolve));
    if (this.fails !== undefined) throw this.fails;
    if (sent.revision !== this.draft.revision) throw failure('conflict');
    this.draft = { ...sent, revision: sent.revision + 1, updated_at: '' } as unknown as Draft;
    if (this.losesAnswer) throw failure('passing');
    return this.draft;
  };

  by(change: (fields: readonly Field[]) => readonly Field[]): void {
    const fields = change(this.draft.fields as unknown as readonly Field[]);
    this.draft = { ...this.draft, fields, revision: this.draft.revision + 1 } as unknown as Draft;
  }

  hold = () => (this.held = []);
  release = () => {
    const held = this.held ?? [];
    this.held = undefined;
    for (const resolve of held) resolve();
  };
}

/** Time that passes when a test says so. */
class Time {
  now = 0;
  private calls: { at: number; call: () => void }[] = [];
  after = (ms: number, call: () => void) => {
    const entry = { at: this.now + ms, call };
    this.calls.push(entry);
    return () => void (this.calls = this.calls.filter((each) => each !== entry));
  };
  async pass(ms: number): Promise<void> {
    this.now += ms;
    const due = this.calls.filter(({ at }) => at <= this.now);
    this.calls = this.calls.filter((each) => !due.includes(each));
    for (const { call } of due) call();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }
}

function opened() {
  const [server, time] = [new Server(), new Time()];
  const editor = new DraftEditor(server.draft, {
    save: server.save,
    load: () => (server.fails === undefined ? Promise.resolve(server.draft) : Promise.reject(server.fails)),
    now: () => time.now,
    after: time.after,
    verdict: (error) => (error as Failure).verdict,
    detailsOf: (error) => (error as Failure).details,
  });
  const phase = () => editor.read().phase;
  const labels = () => editor.read().history.present.entries.map(({ item }) => mainTextOf(item));
  const onServer = () => (server.draft.fields as { label: string }[]).map((item) => item.label);
  return { server, time, editor, phase, labels, onServer };
}

it('saves once, shortly after the last change', async () => {
  const { server, time, editor, phase } = opened();
  editor.edit(label('a', 'A'));
  await time.pass(700);
  editor.edit(label('a', 'Ab'));
  await time.pass(700);
  expect([server.saves.length, phase()]).toEqual([0, 'waiting']);
  await time.pass(100);
  expect([server.saves.map(({ revision }) => revision), phase()]).toEqual([[1], 'saved']);
});

it('has one save on its way, and saves what came meanwhile after it', async () => {
  const { server, time, editor, phase, onServer } = opened();
  server.hold();
  editor.edit(label('a', 'A'));
  await time.pass(800);
  editor.edit(label('b', 'B'));
  await time.pass(5_000);
  expect([server.saves.length, phase()]).toEqual([1, 'saving']);
  server.release();
  await time.pass(0);
  await time.pass(800);
  expect([server.saves.length, phase(), onServer()]).toEqual([2, 'saved', ['A', 'B']]);
});

it('saves what came meanwhile at once for somebody who waits for the outcome', async () => {
  const { server, time, editor, phase, onServer } = opened();
  server.hold();
  editor.edit(label('a', 'A'));
  await time.pass(800);
  let phaseThen: string | undefined;
  void editor.flush().then(() => (phaseThen = phase()));
  editor.edit(label('b', 'B'));
  server.release();
  await time.pass(0);
  expect([server.saves.length, phaseThen, onServer()]).toEqual([2, 'saved', ['A', 'B']]);
});

it('tries again after a lost connection, more and more seldom', async () => {
  const { server, time, editor, phase, onServer } = opened();
  server.fails = failure('passing');
  editor.edit(label('a', 'A'));
  await time.pass(800);
  expect(phase()).toBe('failed');
  await time.pass(2_000);
  await time.pass(3_999);
  expect(server.saves).toHaveLength(2);
  server.fails = undefined;
  await time.pass(1);
  expect([phase(), onServer()]).toEqual(['saved', ['A', 'b']]);
});

it('takes its own save for its own when only the answer was lost, also with later changes', async () => {
  const { server, time, editor, phase, labels, onServer } = opened();
  server.losesAnswer = true;
  editor.edit(label('a', 'A'));
  await time.pass(800);
  expect([phase(), onServer()]).toEqual(['failed', ['A', 'b']]);
  server.losesAnswer = false;
  editor.edit(label('a', 'Ab'));
  await time.pass(800);
  await time.pass(800);
  expect([phase(), labels(), onServer(), editor.read().theirs]).toEqual(['saved', ['Ab', 'b'], ['Ab', 'b'], []]);
});

it('merges what somebody else has saved, and tells of it', async () => {
  const { server, time, editor, phase, onServer } = opened();
  server.by((fields) => [...relabelled(fields, 'b', 'B'), field('c')]);
  editor.edit(label('a', 'A'));
  await time.pass(800);
  await time.pass(800);
  expect([phase(), onServer()]).toEqual(['saved', ['A', 'B', 'c']]);
  expect(editor.read().theirs.map(({ kind, label: of }) => [kind, of])).toEqual([
    ['changed', 'B'],
    ['added', 'c'],
  ]);
  editor.undo();
  expect(editor.read().history.present.entries.map(({ item }) => mainTextOf(item))).toEqual(['a', 'B', 'c']);
});

it.each([
  ['mine', 'Mine'],
  ['theirs', 'Theirs'],
] as const)('lets the person choose where both have changed the same: %s', async (side, expected) => {
  const { server, time, editor, phase, onServer } = opened();
  server.by((fields) => relabelled(fields, 'a', 'Theirs'));
  editor.edit(label('a', 'Mine'));
  await time.pass(800);
  expect([phase(), onServer()[0]]).toEqual(['conflict', 'Theirs']);
  editor.choose({ a: side });
  await time.pass(0);
  expect([phase(), onServer()[0]]).toEqual(['saved', expected]);
});

it('shows at once what another has saved, and does not load after its own saves', async () => {
  const { server, time, editor, labels } = opened();
  editor.edit(label('a', 'A'));
  await time.pass(800);
  let loads = 0;
  const { draft } = server;
  Object.defineProperty(server, 'draft', { get: () => (loads++, draft) });
  editor.noteSavedSomewhere();
  await time.pass(0);
  expect(loads).toBe(0);
  Object.defineProperty(server, 'draft', { value: { ...draft, fields: [field('z')], revision: 3 } });
  editor.noteSavedSomewhere();
  await time.pass(0);
  expect(labels()).toEqual(['z']);
});

it('says before publishing whether somebody else has saved, and merges that', async () => {
  const { server, editor, labels } = opened();
  await expect(editor.isLatest(1)).resolves.toBe(true);
  server.by((fields) => relabelled(fields, 'b', 'Theirs'));
  await expect(editor.isLatest(1)).resolves.toBe(false);
  expect(labels()).toEqual(['a', 'Theirs']);
  // It is in the editor now, but the person has not seen it.
  await expect(editor.isLatest(1)).resolves.toBe(false);
  await expect(editor.isLatest(2)).resolves.toBe(true);
  server.fails = failure('passing');
  await expect(editor.isLatest(2)).rejects.toThrow('passing');
});

it('leaves alone what the server would refuse, and shows what the server has refused at its field', async () => {
  const { server, time, editor, phase } = opened();
  editor.edit(label('a', ' '));
  await time.pass(800);
  expect([server.saves.length, phase(), editor.read().faults.get('a')]).toEqual([0, 'refused', [{ part: 'label', code: 'blank' }]]);
  server.fails = failure('refused', [{ key: 'fields.1.pattern', message: 'must be a regular expression' }]);
  editor.edit(label('a', 'A'));
  await time.pass(800);
  expect([phase(), editor.read().faults.get('b')]).toEqual(['refused', [{ part: 'pattern', message: 'must be a regular expression' }]]);
  server.fails = undefined;
  editor.edit(label('a', 'Ab'));
  await time.pass(800);
  expect(phase()).toBe('saved');
});

it('waits for the person after the session has ended, and then goes on', async () => {
  const { server, time, editor, phase } = opened();
  server.fails = failure('signed_out');
  editor.edit(label('a', 'A'));
  await time.pass(800);
  await time.pass(60_000);
  expect([server.saves.length, phase()]).toEqual([1, 'failed']);
  server.fails = undefined;
  await Promise.all([editor.flush(), time.pass(0)]);
  expect(phase()).toBe('saved');
});

it('asks the server nothing when everything was undone', async () => {
  const { server, time, editor, phase } = opened();
  editor.edit(label('a', 'A'));
  editor.undo();
  await time.pass(800);
  expect([server.saves.length, phase()]).toEqual([0, 'saved']);
  expect(hasSameContent(editor.read().history.present, contentsOf(server.draft))).toBe(true);
});
