import type { INodeProperties } from 'n8n-workflow';
import { formPicker, pickedForm } from '../api/forms';
import { download, path } from '../api/request';
import type { Operation } from './operation';

const downloads = { show: { resource: ['file'], operation: ['download'] } };

export const fileProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['file'] } },
    options: [{ name: 'Download', value: 'download', action: 'Download a file', description: 'Download a file of a submission' }],
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
};

/** The name in a Content-Disposition header: `filename*` (RFC 8187), which may have any character, or else `filename`. */
export function fileName(disposition = ''): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, '$1');
}
