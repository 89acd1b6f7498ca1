import { useQuery } from '@tanstack/react-query';
import { fileNameIn } from './export-file';
import { submissionsKey } from './list-data';

/** Pictures without scripts in them, which a browser only decodes. SVG is none of them. */
const previewed = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
const maxPreviewBytes = 10 * 2 ** 20;

export const addressOfFile = (form: string, id: string) => `/app/v1/forms/${encodeURIComponent(form)}/files/${encodeURIComponent(id)}`;

export const fileKey = (form: string, id: string) => [...submissionsKey(form), 'file', id];

export interface FileFacts {
  name: string | undefined;
  /** Without its parameters. */
  type: string;
  /** Not a number if it is not known. */
  size: number;
  /** Whether it is a harmless picture that can be looked at here. */
  hasPreview: boolean;
}

/** The name, type and size of a file. Asked for without its content, so that the audit log has only what people really downloaded. */
export function useFileFacts(form: string, id: string) {
  return useQuery({
    queryKey: fileKey(form, id),
    queryFn: async ({ signal }): Promise<FileFacts | null> => {
      const { ok, headers } = await fetch(addressOfFile(form, id), { method: 'HEAD', signal });
      if (!ok) return null;
      const type = headers.get('content-type')?.split(';')[0]?.trim() ?? '';
      const size = Number(headers.get('content-length') ?? Number.NaN);
      return { name: fileNameIn(headers), type, size, hasPreview: previewed.includes(type) && size <= maxPreviewBytes };
    },
    staleTime: Infinity,
  });
}
