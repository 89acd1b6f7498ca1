import { addFormPicture, getFormPicture, type FormPicture } from '@sheaf/client';
import { picturesOf, type FormItem } from '@sheaf/contracts';
import { queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { client } from '../../api/client';
import { readPicture, type PictureBounds } from '../../parts/picture-file';

/** Cards of the page are at most half as wide. Forty pictures of this size fit into a form. */
const bounds: PictureBounds = { widths: [640, 480, 360, 240, 120], maxBytes: 16_384, type: 'image/webp' };

/** Its id tells its bytes, so it never changes. */
export const pictureQuery = (form: string, pictureId: string) =>
  queryOptions({
    queryKey: ['picture', form, pictureId],
    queryFn: ({ signal }) => getFormPicture({ client, path: { id: form, pictureId }, signal }),
    staleTime: 'static',
  });

/** The pictures of a form that are known by now, as data URLs, by their ids. */
export function usePictures(form: string, items: readonly FormItem[]): ReadonlyMap<string, string> {
  return useQueries({ queries: picturesOf(items).map((id) => pictureQuery(form, id)), combine: known });
}

const known = (results: readonly { data: FormPicture | undefined }[]): ReadonlyMap<string, string> =>
  new Map(results.flatMap(({ data }) => (data ? [[data.id, data.picture] as const] : [])));

/** Adds a picture to a form. @returns its id; undefined for what is no picture */
export function useAddPicture(form: string): (file: Blob) => Promise<string | undefined> {
  const queries = useQueryClient();
  return useCallback(
    async (file: Blob) => {
      const picture = await readPicture(file, bounds);
      if (picture === undefined) return undefined;
      const added = await addFormPicture({ client, path: { id: form }, body: { picture } });
      queries.setQueryData(pictureQuery(form, added.id).queryKey, added);
      return added.id;
    },
    [form, queries],
  );
}
