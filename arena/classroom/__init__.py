"""Grade a whole class: read submissions, play games on one machine or many, and write the gradebook and feedback."""
