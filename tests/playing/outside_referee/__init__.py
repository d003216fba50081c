"""Games that another program referees."""
