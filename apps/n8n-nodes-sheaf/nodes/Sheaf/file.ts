import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { formPicker, pickedForm } from '../api/forms';
import { call, download, path } from '../api/request';
import type { Operation } from './operation';

const files = (operation: string) => ({ show: { resource: ['file'], operation: [operation] } });
const downloads = files('download');
const uploads = files('upload');

export const fileProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['file'] } },
    options: [
      { name: 'Download', value: 'download', action: 'Download a file', description: 'Download a file of a submission' },
      {
        name: 'Upload',
        value: 'upload',
        action: 'Upload a file',
        description: 'Upload a file for a new submission, whose answer is its ID',
      },
    ],
    default: 'download',
  },
  { ...formPicker, displayOptions: downloads },
  {
    displayName: 'File ID',
    name: 'fileId',
    type: 'string',
    default: '',
    required: true,
    displayOptions: downloads,
    description: 'The answer to a field of the type file',
  },
  {
    displayName: 'Put Output File in Field',
    name: 'binaryPropertyName',
    type: 'string',
    default: 'data',
    required: true,
    displayOptions: downloads,
    hint: 'The name of the output binary field to put the file in',
  },
  { ...formPicker, displayOptions: uploads },
  {
    displayName: 'Field Name or ID',
    name: 'field',
    type: 'options',
    typeOptions: { loadOptionsMethod: 'getFileFields', loadOptionsDependsOn: ['formId.value'] },
    default: '',
    required: true,
    displayOptions: uploads,
    description:
      'The field of the form that the file answers. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
  },
  {
    displayName: 'Input Binary Field',
    name: 'inputBinaryField',
    type: 'string',
    default: 'data',
    required: true,
    displayOptions: uploads,
    hint: 'The name of the input binary field that has the file',
  },
];

export const fileOperations: Record<string, Operation> = {
  async download(context, itemIndex) {
    const formId = pickedForm(context, itemIndex);
    const fileId = context.getNodeParameter('fileId', itemIndex) as string;
    const property = context.getNodeParameter('binaryPropertyName', itemIndex);
    const { content, headers } = await download(context, { path: path`/app/v1/forms/${formId}/files/${fileId}`, itemIndex });
    const binary = await context.helpers.prepareBinaryData(
      content,
      fileName(headers['content-disposition']) ?? fileId,
      headers['content-type'],
    );
    return [{ json: { form_id: formId, file_id: fileId }, binary: { [property]: binary } }];
  },

  async upload(context, itemIndex) {
    const formId = pickedForm(context, itemIndex);
    const property = context.getNodeParameter('inputBinaryField', itemIndex) as string;
    const { fileName: name = 'file', mimeType } = context.helpers.assertBinaryData(itemIndex, property);
    const content = await context.helpers.getBinaryDataBuffer(itemIndex, property);
    const { body, type } = formWith({ name, type: mimeType, content });
    const uploaded = await call<IDataObject>(context, {
      method: 'POST',
      path: path`/public/v1/forms/${formId}/files`,
      query: new URLSearchParams({ field: context.getNodeParameter('field', itemIndex) as string }),
      headers: { 'Content-Type': type },
      body,
      itemIndex,
    });
    return [{ json: { form_id: formId, ...uploaded } }];
  },
};

/** A form with one file, as browsers encode it. n8n takes a `FormData` for an empty body. */
function formWith({ name, type, content }: { name: string; type: string; content: Buffer }): { body: Buffer; type: string } {
  const boundary = `sheaf-${randomUUID()}`;
  const quotable = (text: string) => text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
  const head = `Content-Disposition: form-data; name="file"; filename="${quotable(name)}"\r\nContent-Type: ${quotable(type)}`;
  return {
    body: Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

/** The name in a Content-Disposition header: `filename*` (RFC 8187), which may have any character, or else `filename`. */
export function fileName(disposition = ''): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(disposition) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? plain;
}
