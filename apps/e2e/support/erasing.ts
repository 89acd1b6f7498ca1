import { eventually, type Credentials, type Subscriber } from '@sheaf/testing';
import { copiesOf } from './copies';

export interface Reply {
  id: string;
  revision: number;
  file_id: string;
  erasure_id: string;
  state: string;
}

/** A caller with the rights of an owner, who erases and looks for copies of that in all that the system stores. */
export class Eraser {
  constructor(
    private readonly system: { dataDir: string; origin: string; credentials: Credentials },
    private readonly subscriber: Subscriber,
  ) {
    // It repeats what it is sent, so the log of deliveries has a second copy of it.
    subscriber.answer(({ body }) => ({ status: 422, body: `This is refused: ${body}` }));
  }

  send = (method: string, path: string, body?: object | FormData) => this.sendAs(this.system.credentials.api_key, method, path, body);

  /** Sends a request as somebody else than the owner. */
  async sendAs(
    credential: string | undefined,
    method: string,
    path: string,
    body?: object | FormData,
  ): Promise<{ status: number; body: Reply }> {
    const isForm = body instanceof FormData;
    const reply = await fetch(`${this.system.origin}${path}`, {
      method,
      headers: {
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
        ...(isForm || !body ? {} : { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: (text === '' ? undefined : JSON.parse(text)) as Reply };
  }

  placesWith = (text: string): Promise<string[]> => copiesOf(this.system.dataDir, text);

  async aForm(): Promise<string> {
    const { send } = this;
    const { body } = await send('POST', '/api/v1/forms', { title: 'Visit' });
    const fields = [
      { key: 'name', label: 'Name', type: 'short_text', required: true },
      { key: 'photo', label: 'Photo', type: 'file' },
    ];
    const { body: draft } = await send('GET', `/app/v1/forms/${body.id}/draft`);
    await send('PUT', `/app/v1/forms/${body.id}/draft`, { fields, revision: draft.revision });
    expect(await send('POST', `/api/v1/forms/${body.id}/publish`)).toMatchObject({ status: 200 });
    await send('POST', '/api/v1/hooks/subscribe', {
      form_id: body.id,
      target_url: `${this.subscriber.url}/hook`,
      event: 'submission.created',
      source: 'zapier',
    });
    return body.id;
  }

  /** A submission with a file, a correction and a note, of which a subscriber has heard, and which it has refused. */
  async markedSubmission(form: string, marker: string): Promise<string> {
    const { send } = this;
    const file = new FormData();
    file.set('file', new Blob([`file of ${marker}`], { type: 'text/plain' }), `${marker}.txt`);
    const { body: uploaded } = await send('POST', `/public/v1/forms/${form}/files?field=photo`, file);
    const data = { name: `Ada ${marker}`, photo: uploaded.file_id };
    const { body } = await send('POST', `/public/v1/forms/${form}/submissions`, { data });
    const path = `/app/v1/forms/${form}/submissions/${body.id}`;
    expect(await send('PATCH', path, { data: { ...data, name: `Grace ${marker}` }, revision: 0 })).toMatchObject({ status: 200 });
    await send('POST', `${path}/notes`, { text: `About ${marker}` });
    await eventually(async () =>
      expect(await this.placesWith(marker)).toEqual(expect.arrayContaining([expect.stringMatching(/^delivery\.attempt_/)])),
    );
    return body.id;
  }
}
