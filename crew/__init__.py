"""Work for processes and machines: jobs handed out, lost ones done again, results as they come."""
