import { answerFault, fieldsOf, hasFiles, isSignature } from '@sheaf/contracts';
import type { Fault, KeptFile } from '@sheaf/form-view';
import { Problem } from '@sheaf/kernel';
import { fileName, notStored } from './entered';
import type { PostedFile } from './posted';
import type { Deps, FormVisit } from './visit';

/** Hands the files of a page on to `submissions` while they arrive. */
export class Uploads {
  /** In the order in which they arrived; each has its place from the beginning, because small ones are stored before large ones. */
  private readonly places: { key: string; file: KeptFile | undefined }[] = [];
  /** Why files were refused or not stored; the respondent can choose them again, or others. */
  readonly faults: Fault[] = [];
  /** Why a file could not be stored, for no fault of its own. */
  problem: Problem | undefined;

  constructor(
    private readonly deps: Deps,
    private readonly visit: FormVisit,
  ) {}

  async take(file: PostedFile): Promise<void> {
    const { form, asked } = this.visit;
    const field = fieldsOf(form.items).find((each) => hasFiles(each) && fileName(each.key) === file.control);
    if (!field) return;
    // Each picture of a signature is unpacked and looked at, and the control of a page sends one.
    if (isSignature(field) && this.places.some(({ key }) => key === field.key)) {
      this.failed(
        field.key,
        file.name,
        Problem.badRequest('file: must be one', [{ key: field.key, ...answerFault('too_many_files', { max: 1 }) }]),
      );
      return;
    }
    const place: (typeof this.places)[number] = { key: field.key, file: undefined };
    this.places.push(place);
    try {
      const { file_id: id, name, size } = await this.deps.submissions.uploadFile(asked.uploadCall, announced(form.id, field.key, file));
      const token = this.deps.tokens.signUpload({ form: form.id, field: field.key, id, name, size });
      place.file = { id, name, size, token };
    } catch (thrown) {
      this.failed(field.key, file.name, Problem.from(thrown));
    }
  }

  /** The stored files by the key of their field. */
  get kept(): ReadonlyMap<string, readonly KeptFile[]> {
    const kept = new Map<string, KeptFile[]>();
    for (const { key, file } of this.places) if (file) kept.set(key, [...(kept.get(key) ?? []), file]);
    return kept;
  }

  private failed(key: string, file: string, problem: Problem): void {
    const [fault] = problem.details ?? [];
    if (fault?.code !== undefined) this.faults.push({ key, code: fault.code, params: fault.params ?? {}, file, message: fault.message });
    else if (problem.code === 'bad_request' || problem.code === 'payload_too_large')
      this.faults.push({ key, code: problem.code, params: {}, file, message: problem.message });
    else {
      this.problem ??= problem;
      this.faults.push(notStored(key, file));
    }
  }
}

async function* announced(form: string, field: string, { name, contentType, bytes }: PostedFile) {
  yield { file: { form, field, name, content_type: contentType } };
  for await (const chunk of bytes) yield { bytes: chunk };
}
