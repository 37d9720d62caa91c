import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** Shows the page behind `/redirect` anew: its tab has unmounted it before coming here. */
export function Redirect() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    void navigate(`${pathname.replace('/redirect', '') || '/'}${search}`, { replace: true });
  }, [navigate, pathname, search]);
  return null;
}
