import type { PersonActs } from '#kernel/web/registry.ts';

/** Offers a new meeting with the person. */
const meetWith: PersonActs = ({ id, alias }, codesAt) =>
  codesAt('/meet/list').includes('Create')
    ? [
        {
          key: `meet-with-${id}`,
          title: `约 ${alias} 开会`,
          hint: '约会议',
          to: `/meet/new?${new URLSearchParams({ with: String(id) }).toString()}`,
        },
      ]
    : [];
export default meetWith;
