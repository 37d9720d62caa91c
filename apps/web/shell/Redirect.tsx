import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Shows the page behind `/redirect` again; its tab unmounted it first. */
export function Redirect() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    void navigate(`${pathname.replace('/redirect', '') || '/'}${search}`, { replace: true });
  }, [navigate, pathname, search]);
  return null;
}
