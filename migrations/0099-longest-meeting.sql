-- How long the longest meeting is: what runs at some time began no earlier than that before it. A function, because the planner asks a
-- stable one for its value, and counts with it; of a sub-select it knows nothing and takes the meetings of a month for a handful.
create function meet_longest() returns interval stable parallel safe language sql as 'select max(end_time - start_time) from meet';
