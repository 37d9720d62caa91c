import type { Calls } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/client.ts';
import { asDraft, type Drafts } from '#kernel/web/kit/form/draft.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { rememberedIn, rememberFile, type Remembered } from '#modules/platform/files/web/remembered.ts';

/** A person's form drafts on the server, with the names of the files in them. */
export const keptDrafts: Drafts = {
  async find(key) {
    const { value } = await send(accounts.draft, { query: { key } }, { quiet: true });
    const draft = asDraft(value);
    for (const file of (value as { files?: Remembered[] } | null)?.files ?? []) rememberFile(file);
    return draft;
  },
  keep: (key, draft) =>
    // The values of a form are anything that JSON can say, which the server checks.
    send<Calls[string]>(
      accounts.keepDraft,
      { body: { key, value: draft && { ...draft, files: rememberedIn(draft.values) } } },
      { quiet: true },
    ),
};
