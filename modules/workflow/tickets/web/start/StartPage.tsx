import { useSearchParams } from 'react-router';
import { Launch } from './Launch.tsx';
import { StartAgain } from './StartAgain.tsx';
import { StartForm } from './StartForm.tsx';

/** Chooses what to start; then shows a workflow's form, under the same address so that it can be bookmarked. */
export default function StartPage() {
  const [search, setSearch] = useSearchParams();
  const chosen = Number(search.get('workflow'));
  const { workflow: _chosen, like: _like, ...place } = Object.fromEntries(search);
  const [above, at] = [Number(search.get('above')), Number(search.get('at'))];
  const below = above > 0 && at > 0 ? { parent_ticket_id: above, parent_ticket_state_id: at } : null;
  const like = Number(search.get('like')) || null;
  const onBack = () => setSearch(place);
  const withFlow = (workflow: number) => ({ ...place, workflow: String(workflow) });
  if (chosen > 0 && like !== null && !below)
    return <StartAgain key={`${chosen}:${like}`} workflow={chosen} like={like} onBack={onBack} />;
  if (chosen > 0) return <StartForm key={chosen} workflow={chosen} below={below} onBack={onBack} />;
  return (
    <Launch
      plain={below !== null}
      formOf={(workflow) => `?${new URLSearchParams(withFlow(workflow)).toString()}`}
      onChoose={(workflow) => setSearch(withFlow(workflow))}
    />
  );
}
